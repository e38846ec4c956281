import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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
  node(join(root, 'tools/bundle.ts'), join(out, 'dist/bundle'))
  mkdirSync(join(out, 'bin'))
  copyFileSync(join(root, 'bin/sluice.cjs'), join(out, 'bin/sluice.cjs'))
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

const lines = [
  '{"_time":"2026-03-10T11:20:00Z","level":"error","workload":"payments","content":"pool exhausted"}',
  '{"_time":"2026-03-10T11:20:01Z","level":"info","workload":"payments","content":"pool fine"}',
]

test('its command line answers from one bundle, a large file too, started by a link', () => {
  symlinkSync('../package/bin/sluice.cjs', join(project, 'node_modules/.bin-sluice'))
  const command = join(project, 'node_modules/.bin-sluice')
  const query = 'level:error | stats by (workload) count() as n'
  writeFileSync(join(project, 'small.ndjson'), lines.join('\n'))
  expect(node(command, 'query', query, 'small.ndjson')).toBe('{"workload":"payments","n":1}\n')
  writeFileSync(join(project, 'large.ndjson'), `${lines.join('\n')}\n`.repeat(50_000))
  expect(node(command, 'query', query, 'large.ndjson')).toBe('{"workload":"payments","n":50000}\n')
  expect(node(command, 'fmt', '  level:error|limit 5')).toBe('level:error | limit 5\n')
})

test('a bundle in a clone is passed over when it is older than the source', () => {
  const clone = join(project, 'clone')
  for (const folder of ['bin', 'dist/bundle', 'src/cli']) mkdirSync(join(clone, folder), { recursive: true })
  copyFileSync(join(root, 'bin/sluice.cjs'), join(clone, 'bin/sluice.cjs'))
  const says = (text: string): string => `export function start() { process.stdout.write('${text}') }\n`
  writeFileSync(join(clone, 'package.json'), '{"type":"module"}')
  writeFileSync(join(clone, 'src/cli/main.ts'), says('source'))
  writeFileSync(join(clone, 'dist/bundle/main.js'), says('bundle'))
  const made = (ms: number, files: readonly string[]): void =>
    writeFileSync(join(clone, 'dist/bundle/made-of.json'), JSON.stringify({ ms, files }))
  const ran = (command: string): string => node(join(clone, 'bin/sluice.cjs'), command)
  made(Date.now() + 60_000, ['src/cli/main.ts'])
  expect(ran('query')).toBe('bundle')
  expect(ran('serve')).toBe('source')
  made(Date.now() - 60_000, ['src/cli/main.ts'])
  expect(ran('query')).toBe('source')
  made(Date.now() + 60_000, ['src/cli/main.ts', 'src/cli/gone.ts'])
  expect(ran('query')).toBe('source')
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
