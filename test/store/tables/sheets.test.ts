// @module-tag slow
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { sqliteTable } from '../../../src/backends/sql/index.ts'
import { SluiceError, present } from '../../../src/base/index.ts'
import type { StoredRow } from '../../../src/data/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { comparisonsOf, type Expr, type Table } from '../../../src/plan/index.ts'
import { defineTable, logsTable, standardCatalog } from '../../../src/store/index.ts'
import { openSqlite, sqliteTelemetry } from '../../../src/store/sqlite/index.ts'
import { backendFixtures, type BackendFixture } from '../../harness/backends.ts'
import { asItIs, type Setting } from '../../harness/settings.ts'
import { parseSheet, type SheetCase } from '../../harness/sheet-file.ts'
import { answersOf } from '../../harness/sheet.ts'

type Objects = readonly Readonly<Record<string, unknown>>[]

/** False if a number of the row fails a comparison in the filter; all other conditions are ignored. */
function mayMeet(object: Readonly<Record<string, unknown>>, filter: Expr): boolean {
  return (comparisonsOf(filter) ?? []).every(({ field, op, value }) => {
    const given = object[field]
    if (typeof given !== 'number' || typeof value !== 'number') return true
    if (op === '=') return given === value
    if (op === '<') return given < value
    if (op === '<=') return given <= value
    return op === '>' ? given > value : given >= value
  })
}

function objectsOf(stored: readonly StoredRow[]): Objects {
  return stored.map(({ row }) => Object.fromEntries(row))
}

type MakeTable = (stored: readonly StoredRow[]) => Table | Promise<Table>

const tables: Readonly<Record<string, MakeTable>> = {
  // Use one array, so that later queries of a sheet read columns that earlier ones built.
  objects: (stored) => {
    const objects = objectsOf(stored)
    return defineTable({ name: 'logs', timeField: '_time', scan: () => objects })
  },
  superset: (stored) =>
    defineTable({
      name: 'logs',
      timeField: '_time',
      grade: (filter) => (comparisonsOf(filter) === undefined ? 'none' : 'superset'),
      async *scan({ predicate }) {
        for (const object of objectsOf(stored)) if (predicate.every((filter) => mayMeet(object, filter))) yield object
      },
    }),
  sqlite: async (stored) => {
    const telemetry = sqliteTelemetry(await openSqlite(':memory:'), standardCatalog)
    telemetry.append('logs', stored)
    return sqliteTable(telemetry)
  },
}

function fixtureOf(name: string, tableOf: MakeTable): BackendFixture {
  return {
    name,
    open: async (stored: readonly StoredRow[]) => {
      const table = await tableOf(stored)
      const logs = { ...table, definition: logsTable }
      return {
        backend: columnarBackend({ tables: new Map([['logs', logs]]) }, standardFunctions),
        close: async () => {},
      }
    },
  }
}

const settings: readonly Setting[] = [asItIs, { name: 'one-row batches', options: { limits: { batchRows: 1 } } }]
const sheets = resolve(import.meta.dirname, '../../sheets')
const files = readdirSync(sheets, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sheet'))
const cases = files.flatMap((name) => parseSheet(readFileSync(join(sheets, name), 'utf8')))
const model = present(backendFixtures.find(({ name }) => name === 'columnar'))
const expectedAnswers = new Map<SheetCase, ReturnType<typeof answersOf>>()

/** Returns the answers of the row model, computed once for all tables. */
function expectedOf(sheetCase: SheetCase): ReturnType<typeof answersOf> {
  const known = expectedAnswers.get(sheetCase) ?? answersOf(sheetCase, model, settings)
  expectedAnswers.set(sheetCase, known)
  return known
}

/** True for the error of pipes that describe storage, which a table read row by row does not support. */
function isAboutStorage(error: unknown): boolean {
  return error instanceof SluiceError && error.code === 'engine/unsupported-node'
}

test.each(Object.entries(tables))('all sheets over a table read row by row: %s', async (name, tableOf) => {
  let compared = 0
  let refused = 0
  for (const sheetCase of cases) {
    if (!sheetCase.expectations.some(({ kind }) => kind.endsWith('rows'))) continue
    if (sheetCase.exemptions.size > 0) continue
    // `sample` chooses rows by their position in the output of a table, and a database returns the newest row first.
    if (name === 'sqlite' && sheetCase.query.includes('sample')) continue
    const expected = await expectedOf(sheetCase)
    try {
      const actual = await answersOf(sheetCase, fixtureOf(name, tableOf), settings)
      expect([...actual.values()], sheetCase.query).toEqual([...expected.values()])
      compared++
    } catch (error) {
      if (!isAboutStorage(error)) throw error
      refused++
    }
  }
  expect(compared).toBeGreaterThan(200)
  expect(refused).toBeLessThan(20)
})
