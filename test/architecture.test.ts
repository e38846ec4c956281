import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

type Layers = readonly (readonly string[])[]

/**
 * The layers from the bottom up. A module imports only modules of lower layers, through the `index.ts` of the module or
 * of a module inside it (`lang/log/index.ts`). So a user of one front end does not load the others.
 */
const layers: Layers = [
  ['base', 'system'],
  ['kernels'],
  ['data'],
  ['plan', 'wire'],
  ['functions'],
  ['lang'],
  ['analyze'],
  ['policy', 'optimize', 'store'],
  ['backends', 'ingest', 'resources'],
  ['engine', 'sources'],
  ['catalog', 'workers', 'alerting'],
  ['server', 'editor', 'fuzz'],
  ['mcp'],
  ['cli', 'console', 'entries'],
]

/**
 * Layers inside the largest modules. A part (folder or file) imports only parts of lower layers. The `index.ts` of a
 * module is above all its parts.
 */
const inner: { readonly [module: string]: Layers } = {
  'backends/columnar': [
    ['tuning'],
    ['memory-reservation', 'frame', 'kernels', 'keys', 'measure', 'query-end', 'record-hashes', 'pending-reads'],
    ['expr', 'frame-rows', 'morsels', 'output', 'segment-frame'],
    ['context', 'series'],
    ['segments'],
    ['operator', 'row-demand'],
    ['blocking', 'collect', 'driver'],
    ['group', 'join', 'physical', 'scan', 'shared-rows'],
    ['window'],
    ['operators'],
    ['planner'],
    ['matching-rows', 'morsel-job', 'plan-run'],
    ['backend'],
  ],
  alerting: [
    ['alert', 'source-error', 'yaml'],
    ['conditions', 'matchers', 'templates'],
    ['instances', 'notify', 'rules'],
    ['monitors'],
    ['evaluator'],
    ['backtest', 'service', 'testing'],
  ],
  server: [
    ['errors', 'settings', 'telemetry'],
    ['admission', 'auth', 'http'],
    ['console', 'ingest', 'search'],
    ['backends', 'deletion', 'metrics', 'resources'],
    ['data-folder', 'routes'],
    ['app', 'worker'],
    ['listeners'],
    ['runtime'],
  ],
}

/**
 * Packages and Node modules that only some files may import. All other files import nothing from outside the project.
 */
const outside: readonly { readonly specifier: RegExp; readonly allowed: readonly RegExp[] }[] = [
  {
    specifier: /^chevrotain$/,
    allowed: [/^lang\/kit\//],
  },
  { specifier: /^vscode-jsonrpc(\/|$)/, allowed: [/^cli\/commands\/lsp\.ts$/] },
  { specifier: /^luxon$/, allowed: [/^base\/time\/calendar\.ts$/] },
  { specifier: /^re2js$/, allowed: [/^base\/regex\.ts$/] },
  { specifier: /^zod$/, allowed: [/^wire\//, /^server\//, /^mcp\//, /^catalog\/text\//] },
  { specifier: /^@modelcontextprotocol\//, allowed: [/^mcp\/(endpoint|prompts|resources|server|stdio)\.ts$/] },
  { specifier: /^fast-check$/, allowed: [/^fuzz\//] },
  {
    specifier: /^@duckdb\/node-api$/,
    allowed: [/^backends\/sql\/engines\/duckdb\.ts$/, /^fuzz\/foreign\/testbeds\/duckdb\.ts$/],
  },
  { specifier: /^@clickhouse\/client$/, allowed: [/^backends\/sql\/engines\/clickhouse\.ts$/] },
  { specifier: /^better-sqlite3$/, allowed: [/^store\/sqlite\/connection\.ts$/] },
  {
    specifier: /^(pg|@electric-sql\/.*)$/,
    allowed: [
      /^backends\/sql\/engines\/postgres(-portal|-rows|-session)?\.ts$/,
      /^fuzz\/foreign\/testbeds\/postgres\.ts$/,
    ],
  },
  { specifier: /^hono(\/|$)/, allowed: [/^server\//] },
  { specifier: /^@grpc\/grpc-js$/, allowed: [/^server\/listeners\/grpc\.ts$/] },
  { specifier: /^@hono\/node-server(\/|$)/, allowed: [/^server\/listeners\/http\.ts$/] },
  {
    specifier: /^node:worker_threads$/,
    allowed: [/^sources\/files\/parts\//, /^server\/worker\//, /^workers\//],
  },
  { specifier: /^node:child_process$/, allowed: [/^backends\/sql\/drivers\//, /^cli\//] },
  {
    specifier: /^node:(fs|fs\/promises|os|zlib|readline|tty|process)$/,
    allowed: [
      /^backends\/sql\/drivers\/engine-(child|process)\.ts$/,
      /^cli\//,
      /^fuzz\/foreign\/testbeds\//,
      /^mcp\/reference\.ts$/,
      /^server\/data-folder\//,
      /^server\/auth\/key-path\.ts$/,
      /^server\/console\/built-files\.ts$/,
      /^server\/http\/(unpack-stream|pack-body)\.ts$/,
      /^server\/listeners\/tls\/certificate\.ts$/,
      /^store\/(sqlite|durable|segments)\//,
      /^resources\//,
      /^sources\/files\//,
      /^system\//,
      /^workers\/thread\.ts$/,
    ],
  },
]

/**
 * Files that use Node's modules and have a fallback for other platforms. Bundlers inline the modules that the kit
 * requires.
 */
const hasFallback = ['base/bytes.ts', 'base/turn.ts', 'engine/threads.ts', 'lang/kit/load.cjs']

const root = resolve(import.meta.dirname, '../src')

const MAX_FILES_OF_FOLDER = 25

/**
 * Folders with one file per feature and a list with one line per file, so that a feature's file can be found by its
 * name.
 */
const featureFolders: ReadonlyMap<string, string> = new Map([
  ['cli/commands', 'a command a file, listed in index.ts'],
  ['functions/stats', 'a stats function a file, listed in index.ts and implementations.ts'],
  ['lang/log/pipes', 'a pipe a file, listed in index.ts'],
])

interface Import {
  readonly file: string
  readonly specifier: string
  readonly line: number
  readonly isType: boolean
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? sourceFiles(path) : entry.name.endsWith('.ts') ? [path] : []
  })
}

const STATEMENT = /^\s*(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gms

/** Returns the source of a file without its comment lines. */
function codeOf(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/^\s*(\*|\/\*\*|\/\/).*$/gm, '')
}

function importsOf(file: string): Import[] {
  const text = codeOf(file)
  return [...text.matchAll(STATEMENT)].map((match) => ({
    file: relative(root, file),
    specifier: match[1] ?? match[2] ?? '',
    isType: /^\s*(?:import|export) type\b/.test(match[0]),
    line: text.slice(0, match.index + match[0].search(/\S/)).split('\n').length,
  }))
}

const files = sourceFiles(root)
const imports = files.flatMap(importsOf)
const inside = imports
  .filter((entry) => entry.specifier.startsWith('.'))
  .map((entry) => ({ ...entry, target: relative(root, resolve(root, dirname(entry.file), entry.specifier)) }))

function moduleOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : ''
}

function layerOf(module: string): number {
  return module === '' ? layers.length : layers.findIndex((modules) => modules.includes(module))
}

describe('architecture', () => {
  test('every module stands in a layer', () => {
    const modules = new Set(files.map((file) => moduleOf(relative(root, file))))
    expect([...modules].filter((module) => layerOf(module) === -1)).toEqual([])
    expect(modules.size).toBeGreaterThan(4)
  })

  test('imports run downward, through the index of the module', () => {
    const offences = inside
      .filter(({ file, target }) => moduleOf(file) !== moduleOf(target))
      .filter(({ file, target }) => {
        const isDown = layerOf(moduleOf(file)) > layerOf(moduleOf(target))
        const isIndex = target.endsWith('/index.ts')
        return !isDown || !isIndex
      })
    expect(offences.map((o) => `${o.file}:${o.line} imports ${o.target}`)).toEqual([])
  })

  describe.each(Object.entries(inner))('inside %s', (module, parts) => {
    const partOf = (file: string): string => relative(module, file).replace(/\/.*$/, '').replace(/\.ts$/, '')
    const layerOfPart = (part: string): number => parts.findIndex((layer) => layer.includes(part))
    const isInside = (file: string): boolean => file.startsWith(`${module}/`)

    test('every part stands in a layer, and every name there is a part', () => {
      const found = new Set(
        files
          .map((file) => relative(root, file))
          .filter((file) => isInside(file) && file !== `${module}/index.ts`)
          .map(partOf),
      )
      expect([...found].sort()).toEqual(parts.flat().sort())
    })

    test('imports run downward', () => {
      const offences = inside
        .filter(({ file, target }) => isInside(file) && isInside(target) && partOf(file) !== partOf(target))
        .filter(({ file }) => file !== `${module}/index.ts`)
        .filter(({ file, target }) => layerOfPart(partOf(file)) <= layerOfPart(partOf(target)))
      expect(offences.map((o) => `${o.file}:${o.line} imports ${o.target}`)).toEqual([])
    })
  })

  test(`no folder has more than ${MAX_FILES_OF_FOLDER} files, but those of features`, () => {
    const byFolder = Map.groupBy(files, (file) => relative(root, dirname(file)))
    const large = [...byFolder].filter(([, held]) => held.length > MAX_FILES_OF_FOLDER)
    expect(large.map(([folder]) => folder).sort()).toEqual([...featureFolders.keys()])
  })

  test('no file imports the index of its own module', () => {
    const offences = inside.filter(
      ({ file, target }) => moduleOf(file) !== '' && target === `${moduleOf(file)}/index.ts`,
    )
    expect(offences.map((o) => `${o.file}:${o.line}`)).toEqual([])
  })

  test('no import cycle, types included', () => {
    const graph = new Map<string, string[]>()
    for (const { file, target } of inside) graph.set(file, [...(graph.get(file) ?? []), target])
    const state = new Map<string, 'open' | 'done'>()
    const cycles: string[] = []
    const walk = (file: string, path: readonly string[]): void => {
      if (state.get(file) === 'done') return
      if (state.get(file) === 'open') {
        cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
        return
      }
      state.set(file, 'open')
      for (const target of graph.get(file) ?? []) walk(target, [...path, file])
      state.set(file, 'done')
    }
    for (const file of graph.keys()) walk(file, [])
    expect(cycles).toEqual([])
  })

  test('the outside world is touched in the listed places only', () => {
    const offences = imports.filter(({ file, specifier }) =>
      outside.some((rule) => rule.specifier.test(specifier) && !rule.allowed.some((place) => place.test(file))),
    )
    expect(offences.map((o) => `${o.file}:${o.line} imports ${o.specifier}`)).toEqual([])
  })

  test('code for browsers imports no modules of Node', () => {
    const reached = new Set(['sluice', 'lang', 'json', 'promql'].map((entry) => `entries/${entry}.ts`))
    for (const file of reached) {
      for (const { target } of inside.filter((entry) => entry.file === file && !entry.isType)) reached.add(target)
    }
    expect(reached.size).toBeGreaterThan(500)
    const loaded = imports.filter(({ file, specifier }) => reached.has(file) && specifier.startsWith('node:'))
    expect(loaded.map((o) => `${o.file}:${o.line} imports ${o.specifier}`)).toEqual([])
    const global = /\b(?:Buffer|setImmediate|SharedArrayBuffer|__dirname)\b|\bprocess\.|\brequire\(/
    const offences = [...reached].filter(
      (file) => !hasFallback.includes(file) && global.test(codeOf(join(root, file)).replaceAll(/'[^'\n]*'/g, '')),
    )
    expect(offences).toEqual([])
  })

  test('the reader of imports sees what it should', () => {
    const sample = imports.filter((entry) => entry.file === 'plan/nodes/scan.ts').map((entry) => entry.specifier)
    expect(sample).toContain('../../base/index.ts')
    expect(sample).toContain('../expr/print.ts')
  })
})
