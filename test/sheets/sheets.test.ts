import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { backendFixtures, missingFixtures, type BackendFixture } from '../harness/backends.ts'
import { isUpdatingGolden, writeGolden } from '../harness/golden.ts'
import { asItIs, otherSettings, type Setting } from '../harness/settings.ts'
import { parseSheet, rewriteSheet, type ExpectationKind, type SheetCase } from '../harness/sheet-file.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { pipeDefinitions } from '../../src/lang/log/pipes/index.ts'
import { actualOf, answersOf } from '../harness/sheet.ts'

const root = import.meta.dirname

function sheetFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? sheetFiles(path) : entry.name.endsWith('.sheet') ? [path] : []
  })
}

function isExempt(sheetCase: SheetCase, ...names: readonly string[]): boolean {
  return names.some((name) => sheetCase.exemptions.has(name))
}

async function update(path: string, text: string, cases: readonly SheetCase[]): Promise<void> {
  const actual = new Map<string, readonly string[]>()
  for (const sheetCase of cases) {
    for (const { kind, lines } of sheetCase.expectations) {
      const rows = await actualOf(sheetCase, kind)
      // Unsorted rows keep the order that the sheet states.
      const isSame = kind === 'rows' && isDeepStrictEqual(rows.toSorted(), lines.toSorted())
      actual.set(`${sheetCase.line} ${kind}`, isSame ? lines : rows)
    }
  }
  writeGolden(
    path,
    rewriteSheet(text, (line, kind) => actual.get(`${line} ${kind}`)),
  )
}

const asRows: readonly ExpectationKind[] = ['rows', 'ordered rows']

describe.each(sheetFiles(root).map((path) => [path.slice(root.length + 1), path] as const))('%s', (_, path) => {
  const text = readFileSync(path, 'utf8')
  const cases = parseSheet(text)

  if (isUpdatingGolden) test('is written anew', async () => update(path, text, cases))

  describe.skipIf(isUpdatingGolden).each(cases.map((sheetCase) => [sheetCase.title, sheetCase] as const))(
    '%s',
    (__, sheetCase) => {
      test.each(
        sheetCase.expectations
          .filter(({ kind }) => !asRows.includes(kind))
          .map(({ kind, lines }) => [kind, lines] as const),
      )('%s', async (kind, lines) => {
        expect(await actualOf(sheetCase, kind)).toEqual(lines)
      })

      const answer = sheetCase.expectations.find(({ kind }) => asRows.includes(kind))
      if (answer === undefined) return
      const inOrder = (lines: readonly string[]): readonly string[] =>
        answer.kind === 'rows' ? lines.toSorted() : lines

      const fixtures = backendFixtures
        .filter(({ name }) => !isExempt(sheetCase, name))
        .map((fixture) => [fixture.name, fixture] as const)
      const agree = async (fixture: BackendFixture, settings: readonly Setting[]): Promise<void> => {
        const among = settings.filter((setting) => !isExempt(sheetCase, setting.name))
        for (const [setting, lines] of await answersOf(sheetCase, fixture, among)) {
          expect(inOrder(lines), `${fixture.name}, ${setting.name}`).toEqual(inOrder(answer.lines))
        }
      }
      test.each(fixtures)('rows on %s', (_name, fixture) => agree(fixture, [asItIs]))
      // These settings take most of this file's time but find only faults of single rules or batch ends. So only `npm
      // run test:all` runs them.
      test.each(fixtures)('rows on %s, in other settings', { tags: ['slow'] }, (_name, fixture) =>
        agree(fixture, otherSettings),
      )
    },
  )
})

test('every pipe stands in a sheet', () => {
  const texts = sheetFiles(root).flatMap((path) => parseSheet(readFileSync(path, 'utf8')).map(({ query }) => query))
  // Pipes that describe storage return different rows on each backend.
  const isPhysical = (name: string): boolean => standardFunctions.tables.get(name)?.physical !== undefined
  const missing = pipeDefinitions.filter(
    ({ names }) =>
      !names.some(isPhysical) &&
      !texts.some((text) => names.some((name) => new RegExp(`\\|\\s*${name}\\b`).test(text))),
  )
  expect(missing.map(({ names }) => names[0])).toEqual([])
})

test('every backend runs the sheets', () => {
  expect(missingFixtures()).toEqual([])
})

test('exemptions name a backend or a setting', () => {
  const known = new Set([...backendFixtures, asItIs, ...otherSettings].map(({ name }) => name))
  const named = sheetFiles(root).flatMap((path) =>
    parseSheet(readFileSync(path, 'utf8')).flatMap(({ exemptions }) => [...exemptions.keys()]),
  )
  expect(named.filter((name) => !known.has(name))).toEqual([])
})
