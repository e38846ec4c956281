import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyFix } from '../../site/run/apply-fix.ts'
import type { Block, BlockAnswer, BlockLanguage } from '../../site/run/block.ts'
import { root } from '../library.ts'
import { blockOf } from './blocks.ts'
import { allExamples, checkCodes, elsewhere, type Example } from './examples.ts'
import type { Source } from './source.ts'

/**
 * Page from which the codes and messages are read. `test/reference` checks it against the definitions in the source.
 */
const REFERENCE = 'grammar/reference/diagnostics.md'
const CONTENTS = 'diagnostics/README.md'

/** A diagnostic of the reference. The message is missing if it depends on values. */
interface Listed {
  readonly code: string
  readonly message: string
}

/** Returns all diagnostics in the order of the reference. */
export function listed(): readonly Listed[] {
  const text = readFileSync(join(root, REFERENCE), 'utf8')
  return Array.from(text.matchAll(/^- `([^`]+)`(?: — (.*))?$/gm), ([, code = '', message = '']) => ({ code, message }))
}

const fences: Readonly<Record<BlockLanguage, string>> = {
  native: 'sluice',
  logsql: 'logsql',
  logql: 'logql',
  promql: 'promql',
  traceql: 'traceql',
  pipeline: 'pipeline',
}

function fenced(language: BlockLanguage, query: string, options: Block['options']): string {
  const words = [fences[language], ...Object.entries(options).map(([name, value]) => `${name}=${value}`)]
  return `\`\`\`${words.join(' ')}\n${query}\n\`\`\``
}

/** Formats a line of text as Markdown code: the delimiter has more back quotes than any run in the text. */
function code(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([marks]) => marks.length))
  const marks = '`'.repeat(longest + 1)
  return longest === 0 ? `${marks}${text}${marks}` : `${marks} ${text} ${marks}`
}

type Run = (block: Block) => Promise<BlockAnswer>

/**
 * Page of a diagnostic that has an example. Rejects if the query does not cause the diagnostic, or if the fixed query
 * still does.
 */
async function examplePage(
  { code: name, language, query, fixed, options, fixedOptions }: Example,
  run: Run,
): Promise<string> {
  const fail = (problem: string): never => {
    throw new Error(`The example of ${name} in site/examples ${problem}.`)
  }
  const { diagnostics } = await run(blockOf(language, query, options))
  const found = diagnostics.find((each) => each.code === name)
  if (found === undefined) {
    const others = diagnostics.map((each) => each.code).join(', ')
    return fail(`does not cause it: ${others === '' ? 'it causes nothing' : `it causes ${others}`}`)
  }
  const [fix] = found.fixes
  const mended = fixed ?? (fix && applyFix(query, fix))
  if (mended === undefined) return fail('has no fix, and the query behind `=` is missing')
  const left = (await run(blockOf(language, mended, fixedOptions))).diagnostics.filter(
    (each) => each.severity === 'error' || each.code === name,
  )
  if (left.length > 0) return fail(`is not fixed by ${mended}: it causes ${left.map((each) => each.code).join(', ')}`)
  const marked = found.span === undefined ? '' : query.slice(found.span.start, found.span.end)
  const how =
    fixed === undefined && fix !== undefined
      ? `The fix that is offered, ${code(fix.title)}, makes it:`
      : 'Write instead:'
  return [
    found.message,
    '## A query that causes it',
    fenced(language, query, options),
    ...(marked.trim() === '' || marked.includes('\n') ? [] : [`It marks ${code(marked)}.`]),
    '## The query fixed',
    how,
    fenced(language, mended, fixedOptions),
  ].join('\n\n')
}

const BACK = '[All diagnostics](../README.md)'

/** Pages for all diagnostics: one for each code, and a table of contents. Also returns the codes that have a page. */
export async function diagnosticPages(
  run: Run,
): Promise<{ readonly pages: readonly Source[]; readonly codes: ReadonlySet<string> }> {
  const all = listed()
  const codes = new Set(all.map((each) => each.code))
  const examples = allExamples()
  const reasons = new Map(elsewhere().flatMap(({ reason, codes: of }) => of.map((each) => [each, reason] as const)))
  checkCodes(codes, examples.keys(), elsewhere())
  const pages: Source[] = []
  for (const { code: name, message } of all) {
    const example = examples.get(name)
    const reason = reasons.get(name) ?? ''
    const said = message === '' ? '' : `${message}\n\n`
    const body =
      example === undefined ? `${said}No query on this site causes it.\n\n${reason}` : await examplePage(example, run)
    pages.push({ path: `diagnostics/${name}.md`, text: `# ${name}\n\n${body}\n\n${BACK}\n` })
  }
  return { pages: [{ path: CONTENTS, text: contents(all, examples) }, ...pages], codes }
}

function contents(all: readonly Listed[], examples: ReadonlyMap<string, Example>): string {
  const line = ({ code: name, message }: Listed): string =>
    `- [${name}](${name}.md)${message === '' ? '' : `: ${message.replaceAll('[', '\\[')}`}`
  const withQuery = Map.groupBy(
    all.filter((each) => examples.has(each.code)),
    moduleOf,
  )
  const groups = Array.from(withQuery, ([module, list]) => `## ${module}\n\n${list.map(line).join('\n')}`)
  const byCode = new Map(all.map((each) => [each.code, each]))
  const others = elsewhere().map(({ reason, codes }) => {
    const list = codes.flatMap((each) => byCode.get(each) ?? [])
    return `${reason}\n\n${list.map(line).join('\n')}`
  })
  const intro = `Each of the ${all.length} diagnostics has a code that stays. ${examples.size} pages have a query that causes it, what is marked, and the query fixed.`
  return `# Diagnostics\n\n${intro}\n\n${groups.join('\n\n')}\n\n## Not caused by a query\n\n${others.join('\n\n')}\n`
}

function moduleOf({ code: name }: Listed): string {
  return name.slice(0, name.indexOf('/'))
}
