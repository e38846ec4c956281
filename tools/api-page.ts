import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Declarations, type Place } from './declarations.ts'

/** One exported name on a page. */
interface Entry {
  readonly name: string
  /** The text of its documentation comment, as Markdown. */
  readonly description: string
  /** Its declarations, comments of members included. */
  readonly code: string
  readonly isType: boolean
}

/** Returns the text of a documentation comment, one line for each paragraph; empty if there is no comment. */
function textOf(comment: string): string {
  return comment
    .replaceAll(/^ *\/\*\*[ \n]?|\*\/$/g, '')
    .replaceAll(/^ *\* ?/gm, '')
    .replaceAll(/(?<!\n)\n(?![\n\-*|])/g, ' ')
    .trim()
}

function codeOf(text: string): string {
  return text
    .replaceAll(/^(?:export )?(?:declare )?/gm, '')
    .replaceAll(/^ *#private;\n/gm, '')
    .trimEnd()
}

function entryOf(declarations: Declarations, name: string, place: Place): Entry {
  const statements = declarations.statementsAt(place)
  const code = statements
    .map(({ text }) => codeOf(text))
    .join('\n')
    .replaceAll(new RegExp(`(?<=^[a-z ]*(?:class|function|interface|const|type) )${place.name}\\b`, 'gm'), name)
  const [description = ''] = statements.map(({ comment }) => textOf(comment)).filter((text) => text !== '')
  return { name, description, code, isType: /^(?:abstract )?(?:interface|type)\b/.test(code) }
}

/**
 * Declarations that are not exported but inherited by an exported class or interface, whose members they contribute.
 */
function takenOver(declarations: Declarations, place: Place, exported: ReadonlySet<string>): readonly Place[] {
  return declarations
    .basesOf(place)
    .filter((base) => !exported.has(base.name))
    .flatMap((base) => [base, ...takenOver(declarations, base, exported)])
}

function section({ name, description, code }: Entry, bases: readonly Entry[]): string {
  const inherited = bases.map(
    (base) => `\nWhat it has of \`${base.name}\`:\n\n\`\`\`typescript\n${base.code}\n\`\`\`\n`,
  )
  const text = description === '' ? '' : `${description}\n\n`
  return `### ${name}\n\n${text}\`\`\`typescript\n${code}\n\`\`\`\n${inherited.join('')}`
}

/**
 * Returns the reference of a sub-path of the package as Markdown: every exported name with its documentation and
 * declarations. `types` is the folder that `tools/types.ts` writes. `source` is the entry in `src/entries`, whose first
 * comment introduces the page.
 */
export function apiPage(types: string, source: string, name: string): string {
  const specifier = name === 'sluice' ? 'sluice' : `sluice/${name}`
  const declarations = new Declarations(types)
  const places = declarations.exportsOf(join(types, `${name}.d.ts`))
  const exported = new Set([...places.values()].map((place) => place.name))
  const [comment = ''] = /^\/\*\*[^]*?\*\//.exec(readFileSync(source, 'utf8')) ?? []
  const introduction = textOf(comment).replace(/^`[^`]*`: (\w)/, (_, first: string) => first.toUpperCase())
  const sections = (areTypes: boolean): string =>
    Array.from(places, ([own, place]) => ({ place, entry: entryOf(declarations, own, place) }))
      .filter(({ entry }) => entry.isType === areTypes)
      .map(({ place, entry }) => {
        const bases = takenOver(declarations, place, exported)
        return section(
          entry,
          bases.map((base) => entryOf(declarations, base.name, base)),
        )
      })
      .join('\n')
  return `<!-- Written by test/package.test.ts from the declarations; UPDATE_GOLDEN=1 writes it again. -->\n\n# ${specifier}\n\n${introduction}\n\n## Functions, classes and values\n\n${sections(false)}\n## Types\n\n${sections(true)}`
}
