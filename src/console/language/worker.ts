import { statsLabels } from '../../analyze/index.ts'
import { isGrouped } from '../../plan/index.ts'
import { createLanguage, wordsAt, type EditorOptions } from '../../editor/index.ts'
import { sentDiagnostic } from '../data/local/diagnostics.ts'
import { isDialect, type Dialect } from '../ask/requests.ts'
import { serveCalls } from '../ask/rpc.ts'
import { lintsOfServers } from './lints.ts'
import { narrowed } from './narrow.ts'
import { otherLanguage } from './other-languages.ts'
import { ROWS, type KnownData, type LanguageMethods } from './requests.ts'

const language = createLanguage()

let known: KnownData = { fields: [], values: {} }

/** Returns editor options with the fields and values of the rows on the page. */
function editorOptions(table: string, dialect: Dialect): Partial<EditorOptions> {
  const fields = new Map(known.fields.map((name) => [name, 1]))
  return {
    table,
    dialect,
    values: (field) => known.values[field] ?? [],
    known: () => ({
      rows: 1,
      isWhole: false,
      has: (field) => fields.has(field),
      fields: () => fields,
      texts: () => undefined,
    }),
  }
}

const methods: LanguageMethods = {
  check: async ({ text, table, dialect }) => {
    if (text.trim() === '') return []
    const found = isDialect(dialect)
      ? language.check(text, { table, dialect, disabledLints: lintsOfServers })
      : (await otherLanguage(dialect)).check(text)
    return found.map(sentDiagnostic)
  },
  colours: ({ text }) =>
    Promise.resolve(language.tokens(text).map(({ span: { start, end }, kind }) => ({ start, end, kind }))),
  complete: async ({ text, offset, table, dialect }) => {
    if (isDialect(dialect)) return language.complete(text, offset, editorOptions(table, dialect))
    const other = await otherLanguage(dialect)
    const { start, words } = wordsAt(other, text, offset)
    const items = words.map((word) => ({ label: word, kind: 'keyword', detail: '', insertText: word }))
    return { span: { start, end: offset }, items, takesNames: other.takesNameAfter?.(text.slice(0, start)) }
  },
  hover: ({ text, offset, table, dialect }) => {
    const found = isDialect(dialect) ? language.hover(text, offset, editorOptions(table, dialect)) : undefined
    return Promise.resolve(found && { span: found.span, markdown: found.text })
  },
  layout: async ({ text, dialect }) => {
    try {
      return isDialect(dialect) ? language.format(text, { dialect }) : (await otherLanguage(dialect)).format(text)
    } catch {
      return text
    }
  },
  narrow: async (request) => {
    const { dialect, text } = request
    if (isDialect(dialect)) return narrowed({ ...request, dialect })
    return (await otherLanguage(dialect)).narrow?.(request) ?? text
  },
  shape: async ({ text, table, dialect }) => {
    if (!isDialect(dialect)) return (await otherLanguage(dialect)).shape?.(text) ?? ROWS
    try {
      const { bound } = language.plan(text, { table, dialect, lint: 'off' })
      const values = statsLabels(bound)?.values ?? []
      return isGrouped(bound) ? { kind: 'groups', values } : ROWS
    } catch {
      return ROWS
    }
  },
  know: (data) => {
    known = data
    return Promise.resolve()
  },
}

serveCalls(globalThis, (method) => (request) => methods[method as keyof LanguageMethods](request as never))
