import { statsLabels } from '../../analyze/index.ts'
import { isGrouped } from '../../plan/index.ts'
import { createLanguage, type EditorOptions } from '../../editor/index.ts'
import { sentDiagnostic } from '../data/local/diagnostics.ts'
import { serveCalls } from '../ask/rpc.ts'
import { lintsOfServers } from './lints.ts'
import { narrowed } from './narrow.ts'
import { ROWS, type KnownData, type LanguageMethods, type TextRequest } from './requests.ts'

const language = createLanguage()

let known: KnownData = { fields: [], values: {} }

/** What completion offers beside the language: the fields and values of the rows on the page. */
function editorOptions({ table, dialect }: TextRequest): Partial<EditorOptions> {
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
  check: ({ text, table, dialect }) =>
    Promise.resolve(
      text.trim() === ''
        ? []
        : language.check(text, { table, dialect, disabledLints: lintsOfServers }).map(sentDiagnostic),
    ),
  colours: ({ text }) =>
    Promise.resolve(language.tokens(text).map(({ span: { start, end }, kind }) => ({ start, end, kind }))),
  complete: (request) => Promise.resolve(language.complete(request.text, request.offset, editorOptions(request))),
  hover: (request) => {
    const found = language.hover(request.text, request.offset, editorOptions(request))
    return Promise.resolve(found && { span: found.span, markdown: found.text })
  },
  layout: ({ text, dialect }) => {
    try {
      return Promise.resolve(language.format(text, { dialect }))
    } catch {
      return Promise.resolve(text)
    }
  },
  narrow: (request) => Promise.resolve(narrowed(request)),
  shape: ({ text, table, dialect }) => {
    try {
      const { bound } = language.plan(text, { table, dialect, lint: 'off' })
      const values = statsLabels(bound)?.values ?? []
      return Promise.resolve(isGrouped(bound) ? { kind: 'groups', values } : ROWS)
    } catch {
      return Promise.resolve(ROWS)
    }
  },
  know: (data) => {
    known = data
    return Promise.resolve()
  },
}

serveCalls(globalThis, (method) => (request) => methods[method as keyof LanguageMethods](request as never))
