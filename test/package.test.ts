// @module-tag slow
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { version } from '../src/base/index.ts'
import { apiPage } from '../tools/api-page.ts'
import { Declarations } from '../tools/declarations.ts'
import { isUpdatingGolden, writeGolden } from './harness/golden.ts'
import { installPackage, linkPackages, manifest } from './harness/packaged.ts'

const root = resolve(import.meta.dirname, '..')
const project = mkdtempSync(join(tmpdir(), 'sluice-package-'))
/** A second project, in which only this package is installed. */
const bare = mkdtempSync(join(tmpdir(), 'sluice-bare-'))

const names = readdirSync(join(root, 'src/entries')).map((name) => name.replace('.ts', ''))

function specifierOf(name: string): string {
  return name === 'sluice' ? 'sluice' : `sluice/${name}`
}

function node(...args: readonly string[]): string {
  return execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' })
}

/** Runs a program inside a project and returns its output. */
function ran(program: string, folder = project): string {
  writeFileSync(join(folder, 'main.mjs'), program)
  // In `bare` the package is a symbolic link. Without these options, Node would find dependencies next to the link's
  // target.
  const args = [...(folder === bare ? ['--preserve-symlinks', '--preserve-symlinks-main'] : []), 'main.mjs']
  return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
}

beforeAll(() => {
  const installed = installPackage(project, { withTypes: true })
  for (const folder of [project, bare]) writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  mkdirSync(join(bare, 'node_modules'))
  symlinkSync(installed, join(bare, 'node_modules/sluice'))
  linkPackages(project, [
    ...Object.keys(manifest.dependencies),
    '@chevrotain',
    'better-sqlite3',
    'fast-check',
    'pure-rand',
    '@types/node',
    'undici-types',
  ])
})

afterAll(() => {
  rmSync(project, { recursive: true, force: true })
  rmSync(bare, { recursive: true, force: true })
})

describe('the sub-paths', () => {
  test('are of the version that the program tells', () => {
    expect(version).toBe(manifest.version)
  })

  test('are the entries of the source, each with its types', () => {
    const expected = names.map((name) => [
      name === 'sluice' ? '.' : `./${name}`,
      { types: `./dist/types/${name}.d.ts`, default: `./dist/${name}.js` },
    ])
    expect(manifest.exports).toEqual({
      ...Object.fromEntries(expected),
      './package.json': './package.json',
    })
  })

  test('come with the licences of the packages that are in their files, and no path of this machine', () => {
    const text = readFileSync(join(project, 'node_modules/sluice/dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
    const titles = [...text.matchAll(/^(\S+) \d+\.\d+\.\d+\S* \(/gm)].map(([, name]) => name)
    expect(titles).toEqual(expect.arrayContaining(['chevrotain', 'commander', 'luxon', 're2js', 'zod']))
    expect(new Set(titles).size).toBe(titles.length)
    expect(text).not.toContain(root)
    expect(text).not.toContain('node_modules')
  })

  test('hold every module they need: none calls require', () => {
    const dist = join(project, 'node_modules/sluice/dist')
    const files = readdirSync(dist).filter((name) => name.endsWith('.js'))
    expect(files.length).toBeGreaterThan(20)
    // The bundler writes this stub for a `require` of a package that it did not bundle.
    expect(files.filter((name) => readFileSync(join(dist, name), 'utf8').includes('Calling `require`'))).toEqual([])
  })

  test('hold every CommonJS package: a bundler cannot resolve what these require of Node', () => {
    const dist = join(project, 'node_modules/sluice/dist')
    const files = readdirSync(dist).filter((name) => name.endsWith('.js'))
    const texts = files.map((name) => readFileSync(join(dist, name), 'utf8'))
    expect(texts.filter((text) => /\b__require\d*\(/.test(text))).toEqual([])
    const imported = texts.flatMap((text) => [...text.matchAll(/^(?:import|export) [^'"]*"([^."][^"]*)"/gm)])
    const packages = imported.map(([, name = '']) => name).filter((name) => !isBuiltin(name))
    expect(new Set(packages.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0]))).toEqual(
      new Set(['@hono/node-server', '@modelcontextprotocol/server', 'hono', 'zod']),
    )
  })

  test('sluice answers in the first program of the README, with no other package beside it', () => {
    const [, program = ''] = /```ts\n([^]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
    const lines = program.trim().split('\n')
    const expected = lines.filter((line) => line.startsWith('// ')).map((line) => `${line.slice(3)}\n`)
    expect(lines.length - expected.length).toBeLessThanOrEqual(6)
    expect(expected).toHaveLength(1)
    expect(ran(program, bare)).toBe(expected.join(''))
  })

  test('sluice reads a store of records, and objects that come one by one', () => {
    const program = `
      import { createEngine, createMemoryStore, standardCatalog } from 'sluice'
      const store = createMemoryStore(standardCatalog)
      const line = '{"_time":"2026-03-10T11:20:00Z","level":"error","workload":"payments","content":"pool exhausted"}'
      store.table('logs').writer.appendJsonLines(new TextEncoder().encode(line), { nowNs: 0n })
      const logs = createEngine({ tables: [...store.tables.values()] })
      console.log(JSON.stringify(await logs.query('level:error | stats by (workload) count() as n').toArray()))
      async function* ticks() { for (let i = 0; i < 5; i++) yield { i, even: i % 2 === 0 } }
      const made = createEngine({ tables: { ticks } })
      console.log(JSON.stringify(await made.query('even:true | stats sum(i) as s').toArray()))
      const cut = made.query('*', { limits: { answerRows: 2 } })
      console.log((await cut.toArray()).length, cut.partial().code)
    `
    expect(ran(program, bare)).toBe('[{"workload":"payments","n":1}]\n[{"s":6}]\n2 engine/answer-cut\n')
  })

  test('sluice/promql answers over samples, with no other package beside it', () => {
    const program = `
      import { createEngine } from 'sluice'
      import { createPromql, parseExposition, promqlJson, SampleStore, storeMetrics } from 'sluice/promql'
      const samples = new SampleStore()
      storeMetrics(samples, parseExposition('up{pod="a"} 1\\nup{pod="b"} 0\\n', { format: 'text', defaultTimeMs: 1000 }).samples)
      const promql = createPromql(createEngine(), samples.reader)
      console.log(JSON.stringify(await promql.query('sum(up)', { timeMs: 2000 }).toArray()))
      console.log(promql.format('sum  by(pod)(up)'), promql.check('sum(').length)
    `
    expect(ran(program, bare)).toBe('[{"_time":"1970-01-01T00:00:02.000000000Z","value":1}]\nsum by (pod) (up) 1\n')
  })

  test('an engine with threads shares a query, with no other package beside it', () => {
    const program = `
      import { createEngine, createMemoryStore, standardCatalog } from 'sluice'
      const store = createMemoryStore(standardCatalog)
      const engine = createEngine({ tables: [...store.tables.values()], threads: 2 })
      for (let segment = 0; segment < 6; segment++) {
        const rows = Array.from({ length: 10_000 }, (_, i) =>
          JSON.stringify({ _time: segment * 10_000 + i, workload: 'w' + (i % 3), content: 'request ' + i + ' of user' + (i % 7) }))
        store.table('logs').writer.appendJsonLines(new TextEncoder().encode(rows.join('\\n')), { nowNs: 0n })
        store.table('logs').seal()
      }
      await engine.indexed()
      for (let helped = false; !helped; ) {
        const result = engine.query('content:~"[0-9]+ of user[35]" | stats by (workload) count() as n')
        const answer = JSON.stringify(await result.toArray())
        helped = JSON.stringify(result.explain()).includes('piecesOfOthers')
        if (helped) console.log(answer)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await engine.close()
    `
    expect(ran(program, bare)).toBe(
      '[{"workload":"w0","n":5718},{"workload":"w1","n":5712},{"workload":"w2","n":5712}]\n',
    )
  })

  test('sluice/json answers Pipeline objects', () => {
    const program = `
      import { createEngine } from 'sluice'
      import { createJson } from 'sluice/json'
      const json = createJson(createEngine({ tables: { orders: [{ city: 'Bern' }, { city: 'Basel' }] } }))
      const first = { filters: { conditions: [{ key: 'city', filters: [{ op: 'eq', value: 'Bern' }] }] }, limit: 5 }
      console.log(json.toText(first), JSON.stringify(await json.query(first).toArray()), json.check({ limit: -1 }).length)
    `
    expect(ran(program)).toBe('city:="Bern" | limit 5 [{"city":"Bern"}] 1\n')
  })

  test('sluice/sqlite answers from a database, and writes statements without one', () => {
    const program = `
      import { createEngine, standardCatalog, standardFunctions } from 'sluice'
      import { openSqlite, sqliteBackend, sqliteStatements, sqliteTelemetry } from 'sluice/sqlite'
      const telemetry = sqliteTelemetry(await openSqlite(':memory:'), standardCatalog)
      telemetry.append('logs', [{ timeNs: 5n, sequence: 0, row: new Map([['level', 'error']]) }])
      const backend = sqliteBackend(telemetry, standardFunctions, { mode: 'in-process' })
      console.log(await createEngine({ backends: [backend] }).query('level:error | stats count() as n').toArray())
      console.log(createEngine().toSQL('level:error | limit 1', { compiler: sqliteStatements() }).sql.slice(0, 6))
    `
    expect(ran(program)).toBe('[ { n: 1 } ]\nSELECT\n')
  })

  test('sluice/server answers in the program of docs/embedding.md', () => {
    const text = readFileSync(join(root, 'docs/embedding.md'), 'utf8')
    const program =
      [...text.matchAll(/```ts\n([^]*?)```/g)].find(([, code]) => code?.includes('sluice/server'))?.[1] ?? ''
    expect(ran(program)).toBe(`${/^\/\/ (.*)$/m.exec(program)?.[1]}\n`)
  })

  test('sluice/fuzz can be loaded', () => {
    expect(Number(ran(`console.log(Object.keys(await import('sluice/fuzz')).length)`))).toBeGreaterThan(3)
  })

  test('sluice/fuzz names fast-check where it is not installed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-unchecked-'))
    try {
      linkPackages(folder, [...Object.keys(manifest.dependencies), '@chevrotain'])
      symlinkSync(join(project, 'node_modules/sluice'), join(folder, 'node_modules/sluice'))
      // Without this file, Node would use a package.json of a parent folder.
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
      const program = `await import('sluice/fuzz').catch(({ code, message }) => console.log(code, message))`
      writeFileSync(join(folder, 'main.mjs'), program)
      const args = ['--preserve-symlinks', '--preserve-symlinks-main', 'main.mjs']
      expect(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })).toBe(
        'fuzz/package-missing `sluice/fuzz` needs the package `fast-check`, which is not installed.\n',
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('sluice/lang lays out a query and keeps its comments, with no other package beside it', () => {
    const program = `
      import { createLanguage, format, parse, print } from 'sluice/lang'
      console.log(format('level:error|limit 5 # newest'))
      console.log(print(parse('level:error  and x').ast))
      const language = createLanguage()
      console.log(language.tokens('level:error | limit 5').length, language.check('* | limt 5').length)
    `
    expect(ran(program, bare)).toBe('level:error\n  | limit 5 # newest\nlevel:error and x\n6 1\n')
  })
})

const lines = [
  '{"_time":"2026-03-10T11:20:00Z","level":"error","workload":"payments","content":"pool exhausted"}',
  '{"_time":"2026-03-10T11:20:01Z","level":"info","workload":"payments","content":"pool fine"}',
]

test('its command line answers from one bundle, a large file too, started by a link', () => {
  mkdirSync(join(project, 'node_modules/.bin'))
  const command = join(project, 'node_modules/.bin/sluice')
  symlinkSync('../sluice/bin/sluice.cjs', command)
  const query = 'level:error | stats by (workload) count() as n'
  writeFileSync(join(project, 'small.ndjson'), lines.join('\n'))
  expect(node(command, 'query', query, 'small.ndjson')).toBe('{"workload":"payments","n":1}\n')
  writeFileSync(join(project, 'large.ndjson'), `${lines.join('\n')}\n`.repeat(50_000))
  expect(node(command, 'query', query, 'large.ndjson')).toBe('{"workload":"payments","n":50000}\n')
  expect(node(command, 'query', query, 'small.ndjson', '--backend', 'sqlite')).toBe('{"workload":"payments","n":1}\n')
  expect(node(command, 'fmt', '  level:error|limit 5')).toBe('level:error | limit 5\n')
})

test('a bundle in a clone is passed over when it is older than the source', () => {
  const clone = join(project, 'clone')
  for (const folder of ['bin', 'dist/cli', 'src/cli']) mkdirSync(join(clone, folder), { recursive: true })
  copyFileSync(join(root, 'bin/sluice.cjs'), join(clone, 'bin/sluice.cjs'))
  const says = (text: string): string => `export function start() { process.stdout.write('${text}') }\n`
  writeFileSync(join(clone, 'package.json'), '{"type":"module"}')
  writeFileSync(join(clone, 'src/cli/main.ts'), says('source'))
  writeFileSync(join(clone, 'dist/cli/main.js'), says('bundle'))
  const made = (ms: number, files: readonly string[]): void =>
    writeFileSync(join(clone, 'dist/cli/made-of.json'), JSON.stringify({ ms, files }))
  const started = (): string => node(join(clone, 'bin/sluice.cjs'), 'query')
  made(Date.now() + 60_000, ['src/cli/main.ts'])
  expect(started()).toBe('bundle')
  made(Date.now() - 60_000, ['src/cli/main.ts'])
  expect(started()).toBe('source')
  made(Date.now() + 60_000, ['src/cli/main.ts', 'src/cli/gone.ts'])
  expect(started()).toBe('source')
})

const strict = {
  module: 'nodenext',
  target: 'es2024',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  noEmit: true,
  types: [],
  preserveSymlinks: true,
}

/** Runs the compiler on the project and returns its messages. */
function compiled(): string {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', '.'], { cwd: project, encoding: 'utf8' })
  return stdout
}

describe('on a Node older than the floor', () => {
  const sentence = 'sluice needs Node 22.14 or newer; this is 20.11.0. Install a newer one from https://nodejs.org.'
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } })`

  test.each(names)('%s ends with a sentence before anything else of it runs', (name) => {
    const program = `${older}
      delete Map.groupBy
      delete String.prototype.isWellFormed
      await import('${specifierOf(name)}').then(() => console.log('loaded'), (error) => console.log(error.message))`
    expect(ran(program)).toBe(`${sentence}\n`)
  })

  test('the command line ends with it too', () => {
    writeFileSync(join(bare, 'older.cjs'), older)
    const command = join(bare, 'node_modules/sluice/bin/sluice.cjs')
    const args = ['--preserve-symlinks-main', '--require', join(bare, 'older.cjs'), command, '--version']
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 2, stderr: `${sentence}\n` })
  })

  test('the floor is the one of package.json', () => {
    expect(manifest.engines.node).toBe('>=22.14')
  })
})

describe('its types', () => {
  test('hold in a strict project without the types of Node, on every sub-path', () => {
    const program = `
      ${names.map((name) => `import '${specifierOf(name)}'`).join('\n')}
      import { createEngine, type QueryResult } from 'sluice'
      import { createPromql, SampleStore } from 'sluice/promql'
      const engine = createEngine()
      export const result: QueryResult = engine.query('*')
      export const value = createPromql(engine, new SampleStore().reader).query('up').toArray().then(([row]) => row?.['value'])
      // @ts-expect-error a query is a text
      engine.query(5)
    `
    writeFileSync(join(project, 'main.ts'), program)
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict, files: ['main.ts'] }))
    expect(compiled()).toBe('')
  })

  const types = join(project, 'node_modules/sluice/dist/types')

  // Wraps each function and each member without type annotations, so that the compiler writes the inferred types.
  test.each(names)('of %s can all be named in the declarations of a library', (name) => {
    const declarations = new Declarations(types)
    const wrappers: string[] = []
    for (const [exported, place] of declarations.exportsOf(join(types, `${name}.d.ts`))) {
      const text = declarations.textAt(place)
      const [, kind] = /^(?:export )?(?:declare )?(?:abstract )?(function|class|interface) \w+\b(?!<)/.exec(text) ?? []
      if (kind === 'function')
        wrappers.push(
          `export const of${exported} = (...given: Parameters<typeof all.${exported}>) => all.${exported}(...given)`,
        )
      else if (kind !== undefined)
        for (const [, member = ''] of text.matchAll(/(?<=[;{]\n) {4}(?:readonly |get )*(?!constructor)(\w+)\??[:(<]/g))
          wrappers.push(`export const ${exported}_${member} = (it: all.${exported}) => it.${member}`)
    }
    expect(wrappers.length).toBeGreaterThan(5)
    const imports = `import ${name === 'types' ? 'type ' : ''}* as all from '${specifierOf(name)}'`
    writeFileSync(join(project, 'library.ts'), [imports, ...new Set(wrappers)].join('\n'))
    const compilerOptions = { ...strict, declaration: true }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['library.ts'] }))
    expect(compiled()).toBe('')
  })

  // After an intended change run: UPDATE_GOLDEN=1 npx vitest run test/package.test.ts
  test.each(names.filter((name) => name !== 'types'))('of %s are those of docs/api', (name) => {
    const text = apiPage(types, join(root, `src/entries/${name}.ts`), name)
    const file = join(root, `docs/api/${name}.md`)
    if (isUpdatingGolden) writeGolden(file, text)
    const undocumented = Array.from(text.matchAll(/^### (\w+)\n\n```/gm), ([, exported]) => exported)
    expect(undocumented, 'need a documentation comment').toEqual([])
    expect(text).toBe(readFileSync(file, 'utf8'))
  })

  test('sluice gives at most 26 values', () => {
    const found = ran(`console.log(Object.keys(await import('sluice')).length)`)
    expect(Number(found)).toBeGreaterThan(5)
    expect(Number(found)).toBeLessThanOrEqual(26)
  })
})
