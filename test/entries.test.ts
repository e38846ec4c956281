import { execFileSync } from 'node:child_process'
import { relative } from 'node:path'
import process from 'node:process'
import { beforeAll, describe, expect, test } from 'vitest'
import { bundleLibrary, root } from '../tools/library.ts'

/** What each sub-path loads at once: modules of the source and of packages, by path. */
const loaded = new Map<string, ReadonlySet<string>>()

beforeAll(async () => {
  const { output } = await (await bundleLibrary()).generate({ format: 'esm' })
  const chunks = new Map(output.filter((each) => each.type === 'chunk').map((chunk) => [chunk.fileName, chunk]))
  for (const { name, fileName, isEntry } of chunks.values()) {
    if (!isEntry) continue
    const modules = new Set<string>()
    const files = new Set<string>()
    const add = (file: string): void => {
      if (files.has(file)) return
      files.add(file)
      const chunk = chunks.get(file)
      if (chunk === undefined) modules.add(file)
      // A module of which nothing is left brings nothing along.
      for (const [path, { code }] of Object.entries(chunk?.modules ?? {})) if (code) modules.add(relative(root, path))
      for (const next of chunk?.imports ?? []) add(next)
    }
    add(fileName)
    loaded.set(name, modules)
  }
})

function found(entry: string, pattern: RegExp): readonly string[] {
  return [...(loaded.get(entry) ?? [])].filter((path) => pattern.test(path))
}

const sqlite = /^src\/(store\/sqlite|store\/durable|backends\/sql)\/|^better-sqlite3/
const server = /^src\/(server|resources|wire|cli)\/|(^|\/)(zod|hono|pino|prom-client|protobufjs|yaml|commander)(\/|$)/

describe('what sub-paths load', () => {
  test('sluice/lang: nothing that runs queries', () => {
    const planning = 'planner|compile|extend|text|range|limits|diagnostics'
    const runs = new RegExp(
      `^src/(backends|ingest|server|resources)/|^src/store/(?!domains/|shapes/loggers\\.ts)|^src/engine/(?!(${planning})\\.ts)`,
    )
    expect(found('lang', runs)).toEqual([])
    expect(found('lang', sqlite)).toEqual([])
    expect(found('lang', server)).toEqual([])
    expect(found('lang', /^src\/(lang\/json\/(?!operators\/)|lang\/promql)\/|^node:/)).toEqual([])
  })

  test('sluice: no server, no database, no other front end, nothing of Node', () => {
    expect(found('sluice', sqlite)).toEqual([])
    expect(found('sluice', server)).toEqual([])
    expect(found('sluice', /^src\/(lang\/json\/(?!operators\/)|lang\/promql|editor|ingest)\/|^node:/)).toEqual([])
  })

  test('sluice/promql: no database, no server, nothing of Node', () => {
    expect(found('promql', sqlite)).toEqual([])
    expect(found('promql', server)).toEqual([])
    expect(found('promql', /^node:/)).toEqual([])
  })

  test('the look at modules sees what it should', () => {
    expect(found('sqlite', sqlite).length).toBeGreaterThan(10)
    expect(found('server', server).length).toBeGreaterThan(10)
    expect(found('promql', /^src\/lang\/promql\/parse\.ts$/)).toHaveLength(1)
    expect(found('lang', /^src\/engine\/planner\.ts$/)).toHaveLength(1)
  })
})

/** Tells how many grammars there were after the imports, and after a text was read. */
const countGrammars = `
import { EmbeddedActionsParser } from 'chevrotain'
import { Reader } from './src/lang/log/reader.ts'
const define = Reader.prototype.RULE
let isLogBuilt = false
Reader.prototype.RULE = function (...args) {
  isLogBuilt = true
  return define.apply(this, args)
}
const build = EmbeddedActionsParser.prototype.performSelfAnalysis
let count = 0
EmbeddedActionsParser.prototype.performSelfAnalysis = function () {
  count++
  build.call(this)
}
await import('./src/entries/sluice.ts')
await import('./src/entries/promql.ts')
const { parse } = await import('./src/entries/lang.ts')
const atOnce = count + Number(isLogBuilt)
parse('level:error')
console.log(JSON.stringify({ atOnce, afterReading: count + Number(isLogBuilt) }))
`

test('no grammar is built before the first text is read', () => {
  // A process of its own: other tests of this one have read texts before.
  const args = ['--input-type=module', '--eval', countGrammars]
  const told = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  expect(JSON.parse(told)).toEqual({ atOnce: 0, afterReading: 1 })
})
