import { createLanguage } from '../../src/editor/index.ts'
import type { BlockLanguage } from '../../site/run/block.ts'
import type { RunBlock, Shown } from './blocks.ts'
import { escapeHtml, relativeTo } from './html.ts'

const language = createLanguage()

const names: Readonly<Record<BlockLanguage, string>> = {
  native: 'Sluice',
  logsql: 'LogsQL',
  logql: 'LogQL',
  promql: 'PromQL',
  traceql: 'TraceQL',
  pipeline: 'JSON pipeline',
}

const foreignNames: Readonly<Record<string, string>> = {
  kql: 'KQL',
  logql: 'LogQL',
  lucene: 'Lucene',
  spl: 'SPL',
  sql: 'SQL',
}

/** A CSS class for a part of a text; offsets in UTF-16 units. */
interface Mark {
  readonly start: number
  readonly end: number
  readonly name: string
}

/** Returns the text as HTML; each part has the classes of all marks that cover it. */
function markedHtml(text: string, marks: readonly Mark[]): string {
  const cuts = new Set([0, text.length, ...marks.flatMap(({ start, end }) => [start, end])])
  const ends = [...cuts].filter((cut) => cut <= text.length).toSorted((a, b) => a - b)
  return ends
    .map((start, i) => {
      const end = ends[i + 1] ?? start
      const names = marks
        .filter((mark) => mark.start <= start && end <= mark.end && start < end)
        .map(({ name }) => name)
      const part = escapeHtml(text.slice(start, end))
      return names.length === 0 ? part : `<span class="${names.join(' ')}">${part}</span>`
    })
    .join('')
}

/** Returns a query as HTML with errors underlined. Queries of the log language are highlighted as in the editor. */
function queryText({ block: { query, language: of }, answer }: RunBlock): string {
  const tokens = of === 'native' || of === 'logsql' ? language.tokens(query) : []
  return markedHtml(query, [
    ...tokens.map(({ span, kind }) => ({ ...span, name: `tok-${kind}` })),
    ...answer.diagnostics.flatMap(({ span, severity }) =>
      span === undefined ? [] : [{ ...span, name: `at-${severity}` }],
    ),
  ])
}

/** Returns a message as HTML; text between back quotes becomes code. */
function messageHtml(text: string): string {
  return text
    .split('`')
    .map((part, i, parts) =>
      i % 2 === 1 && i < parts.length - 1 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part),
    )
    .join('')
}

/**
 * Returns diagnostics as an HTML list: message, notes, and titles of fixes. The script of the page builds the same list
 * after a run.
 */
function diagnosticsHtml({ answer }: RunBlock, page: string, codes: ReadonlySet<string>): string {
  if (answer.diagnostics.length === 0) return ''
  const items = answer.diagnostics.map(({ code, severity, message, notes, fixes }) => {
    const address = relativeTo(page, `diagnostics/${code}.html`)
    const shown = codes.has(code) ? `<a href="${escapeHtml(address)}">${escapeHtml(code)}</a>` : escapeHtml(code)
    const more = [...notes, ...fixes.map(({ title }) => `Fix: ${title}`)].map((note) => `<p>${messageHtml(note)}</p>`)
    return `<li class="${severity}"><p><strong>${severity}</strong> ${messageHtml(message)} <span class="code">${shown}</span></p>${more.join('')}</li>`
  })
  return `<ul class="diagnostics">${items.join('')}</ul>`
}

function queryHtml(run: RunBlock, page: string, codes: ReadonlySet<string>): string {
  const { id, block, command, answer } = run
  const files = block.files.filter((_, i) => command !== '' || i === 0)
  const links = files.map(({ name, path }) => `<a href="${escapeHtml(relativeTo(page, path))}">${escapeHtml(name)}</a>`)
  const result =
    answer.text === ''
      ? ''
      : `<pre class="answer" tabindex="0" role="group" aria-label="Answer of ${id}">${escapeHtml(answer.text.trimEnd())}</pre>`
  const plan =
    answer.plan === ''
      ? ''
      : `<details class="plan" open><summary>Plan</summary><pre tabindex="0" role="group" aria-label="Plan of ${id}">${escapeHtml(answer.plan)}</pre></details>`
  return `<div class="query" id="${id}" data-block="${escapeHtml(JSON.stringify(block))}">
<div class="bar"><span class="language">${names[block.language]}</span> <span class="from">over ${links.join(', ')}</span></div>
${command === '' ? '' : `<p class="command"><code>${escapeHtml(command.replace(block.query, '…'))}</code></p>`}
<div class="editor"><pre class="text" tabindex="0" role="group" aria-label="Query ${id}"><code>${queryText(run)}</code></pre></div>
<div class="messages">${diagnosticsHtml(run, page, codes)}</div>
<div class="result">${result}${plan}</div>
</div>
`
}

/** Returns a code block as HTML; it has a tab stop, so that it can be scrolled by keyboard. */
export function codeHtml(text: string, language: string): string {
  const name = language === '' ? 'code' : language
  return `<pre class="code" tabindex="0" role="group" aria-label="${escapeHtml(name)}"><code>${escapeHtml(text)}</code></pre>\n`
}

/** Returns the parts of a fenced block as HTML. */
export function shownHtml(parts: readonly Shown[], page: string, codes: ReadonlySet<string>): string {
  return parts
    .map((part) => {
      if (part.kind === 'code') return codeHtml(part.text, part.language)
      if (part.kind === 'query') return queryHtml(part.run, page, codes)
      const name = foreignNames[part.language] ?? part.language
      return `<div class="pair"><p class="language">${name}</p>${codeHtml(part.foreign, name)}${queryHtml(part.run, page, codes)}</div>\n`
    })
    .join('')
}
