import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const project = mkdtempSync(join(tmpdir(), 'sluice-package-'))

/** What the engine core may load; were anything else imported, the import would fail. */
const corePackages = ['chevrotain', '@chevrotain', 'luxon', 're2js', 'fastest-levenshtein', '@datadog/sketches-js']

/** What every TypeScript project on Node has. */
const typePackages = ['@types/node', 'undici-types']

function link(name: string): void {
  const target = join(project, 'node_modules', name)
  mkdirSync(dirname(target), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), target)
}

function node(...args: readonly string[]): string {
  return execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' })
}

beforeAll(() => {
  const out = join(project, 'package')
  mkdirSync(join(project, 'node_modules/sluice'), { recursive: true })
  node(
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    join(root, 'src/tsconfig.json'),
    '--outDir',
    join(out, 'dist'),
  )
  for (const entry of readdirSync(out)) symlinkSync(join(out, entry), join(project, 'node_modules/sluice', entry))
  symlinkSync(join(root, 'package.json'), join(project, 'node_modules/sluice/package.json'))
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  for (const name of [...corePackages, ...typePackages]) link(name)
}, 120_000)

afterAll(() => rmSync(project, { recursive: true, force: true }))

const program = `
import { columnarBackend, createEngine, createMemoryStore, rowToJson, standardCatalog, standardFunctions } from 'sluice'

const store = createMemoryStore(standardCatalog)
const line = '{"_time":"2026-03-10T11:20:00Z","level":"error","workload":"payments","content":"connection pool exhausted"}'
store.table('logs').appendJsonLines(new TextEncoder().encode(line), { nowNs: 0n })
const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)] })
for await (const row of engine.query('level:error | stats by (workload) count() as n').rows()) console.log(rowToJson(row))
`

test('a foreign project imports the package and nothing of the server half is loaded', () => {
  writeFileSync(join(project, 'main.mjs'), program)
  expect(node('--preserve-symlinks', '--preserve-symlinks-main', 'main.mjs')).toBe('{"workload":"payments","n":1}\n')
})

test('its types hold in a foreign project', () => {
  writeFileSync(join(project, 'main.ts'), `${program}\n// @ts-expect-error a query is a text\nengine.query(5)\n`)
  const config = {
    compilerOptions: {
      module: 'nodenext',
      target: 'es2024',
      strict: true,
      noEmit: true,
      types: ['node'],
      lib: ['es2024'],
      preserveSymlinks: true,
    },
    files: ['main.ts'],
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))
  expect(node(join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')).toBe('')
})
