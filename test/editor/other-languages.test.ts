import { expect, test } from 'vitest'
import { LanguageService } from '../../src/editor/index.ts'
import { otherLanguages } from '../../src/editor/languages/index.ts'
import { Planner } from '../../src/engine/index.ts'

const service = new LanguageService(new Planner(), {}, otherLanguages)
const start = { line: 0, character: 0 }

function opened(text: string, languageId: string): string {
  const uri = `untitled:${languageId}`
  service.open(uri, text, languageId)
  return uri
}

/** Returns the labels that completion offers at the end of a text. */
function offered(text: string, languageId: string): readonly string[] {
  const position = { line: 0, character: text.length }
  return (service.completion(opened(text, languageId), position) as readonly { readonly label: string }[]).map(
    ({ label }) => label,
  )
}

test('LogQL and TraceQL are checked in their own grammar, in the place of the log language', () => {
  expect(service.diagnostics(opened('{app="x"} |= "error" | json', 'logql'))).toEqual([])
  expect(service.diagnostics(opened('{ status = error } >> { duration > 1s }', 'traceql'))).toEqual([])
  expect(service.diagnostics(opened('{ status = 5 }', 'traceql'))).toMatchObject([
    { code: 'traceql/mixed-types', range: { start: { line: 0, character: 2 } } },
  ])
  expect(service.diagnostics(opened('{app="x"} | jsn', 'logql'))).toMatchObject([{ severity: 1, source: 'sluice' }])
})

test('the words that may follow are offered, by the letters of the word so far', () => {
  expect(offered('{app="x"} | li', 'logql')).toEqual(['line_format'])
  expect(offered('sum by (app) (ra', 'logql')).toEqual(['rate', 'rate_counter'])
  expect(offered('{ kind = ser', 'traceql')).toEqual(['server'])
  expect(offered('{} | quan', 'traceql')).toEqual(['quantile_over_time'])
  expect(offered('{} | avg(span.x) > 1 | co', 'traceql')).toContain('count')
})

test('nothing is offered behind an error, or inside of a text', () => {
  expect(offered('}} ra', 'logql')).toEqual([])
  expect(offered('{ name = "ser', 'traceql')).toEqual([])
})

test('a document is formatted in its language, and faults are reported', () => {
  const [edit] = service.formatting(opened('{status=error}|count()>1', 'traceql'))
  expect(edit).toMatchObject({ newText: '{ status = error } | count() > 1', range: { start } })
  expect(() => service.formatting(opened('{', 'logql'))).toThrow(/ends too early/)
})

test('the ending of an address names the language, and changes keep it', () => {
  service.open('file:///a.traceql', '{}')
  service.change('file:///a.traceql', [{ text: '{ name = "a" } ~ { name = "b" }' }])
  expect(service.diagnostics('file:///a.traceql')).toEqual([])
  service.open('file:///a.logsql', 'level:error | limt 5')
  expect(service.diagnostics('file:///a.logsql')).toMatchObject([{ code: 'log/unknown-pipe' }])
})
