// @module-tag slow
import { execFileSync } from 'node:child_process'
import { builtinModules } from 'node:module'
import { relative } from 'node:path'
import process from 'node:process'
import { beforeAll, describe, expect, test } from 'vitest'
import { bundleLibrary, root } from '../tools/library.ts'

/** For each sub-path, the modules that it loads statically, by path. */
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
      // A module of which no code remains does not count.
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
const ofNode = new RegExp(`^(node:|(${builtinModules.join('|')})$)`)
const server = /^src\/(server|resources|wire|cli)\/|(^|\/)(zod|hono|pino|prom-client|yaml|commander)(\/|$)/
const agents = /^(src\/mcp\/|@modelcontextprotocol\/)/

describe('what sub-paths load', () => {
  test('sluice/lang: nothing that runs queries', () => {
    const planning = 'planner|options|scope-texts|compile|extend|text|range|zone|limits|diagnostics'
    const runs = new RegExp(
      `^src/(backends|ingest|server|resources)/|^src/store/(?!domains/|shapes/loggers\\.ts)|^src/engine/(?!(${planning})\\.ts)`,
    )
    expect(found('lang', runs)).toEqual([])
    expect(found('lang', /^src\/functions\/(standard|\w+\/implementations)\.ts|^src\/kernels\/|sketches-js/)).toEqual(
      [],
    )
    expect(found('lang', sqlite)).toEqual([])
    expect(found('lang', server)).toEqual([])
    expect(found('lang', /^src\/(lang\/json\/(?!operators\/)|lang\/promql)\//)).toEqual([])
    expect(found('lang', ofNode)).toEqual([])
  })

  test('sluice: no server, no database, no other front end, nothing of Node', () => {
    expect(found('sluice', sqlite)).toEqual([])
    expect(found('sluice', server)).toEqual([])
    expect(found('sluice', /^src\/(lang\/json\/(?!operators\/)|lang\/promql|editor|ingest)\//)).toEqual([])
    expect(found('sluice', ofNode)).toEqual([])
  })

  test('sluice/promql: no database, no server, nothing of Node', () => {
    expect(found('promql', sqlite)).toEqual([])
    expect(found('promql', server)).toEqual([])
    expect(found('promql', ofNode)).toEqual([])
  })

  test('sluice/server: nothing of the protocol of agents', () => {
    expect(found('server', agents)).toEqual([])
  })

  test('the look at modules sees what it should', () => {
    expect(found('sqlite', sqlite).length).toBeGreaterThan(10)
    expect(found('server', server).length).toBeGreaterThan(10)
    expect(found('server', ofNode)).toEqual(expect.arrayContaining(['node:http', 'cluster']))
    expect(found('mcp', agents)).toEqual(
      expect.arrayContaining(['@modelcontextprotocol/server', 'src/mcp/endpoint.ts']),
    )
    expect(found('promql', /^src\/lang\/promql\/parse\.ts$/)).toHaveLength(1)
    expect(found('lang', /^src\/engine\/planner\.ts$/)).toHaveLength(1)
  })
})

/** Program that prints whether Chevrotain was loaded after the imports, and after a query was parsed. */
const watchChevrotain = `
import { registerHooks } from 'node:module'
let isLoaded = false
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'chevrotain') isLoaded = true
    return next(specifier, context)
  },
})
await import('./src/entries/sluice.ts')
const { parsePromql } = await import('./src/entries/promql.ts')
const { parse } = await import('./src/entries/lang.ts')
const states = [isLoaded]
PARSE
states.push(isLoaded)
console.log(JSON.stringify(states))
`

test.each([
  ['a log query', "parse('level:error')"],
  ['a PromQL query', "parsePromql('up')"],
])('Chevrotain is loaded when %s is parsed, not before', (_, parse) => {
  // Use a separate process, because other tests in this one have already parsed queries.
  const args = ['--input-type=module', '--eval', watchChevrotain.replace('PARSE', parse)]
  expect(JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }))).toEqual([false, true])
})
