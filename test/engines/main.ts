/**
 * Packs the package, installs it in a separate project, and uses it in a browser and on every supported release of
 * Node: `npm run test:packed`. `test/engines/package.json` installs the browser and the Node releases.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { answersInBrowser, bundlers, type PageRights } from './browser.ts'

const root = resolve(import.meta.dirname, '../..')
const project = mkdtempSync(join(tmpdir(), 'sluice-packed-'))
const execute = promisify(execFile)

/** Node releases to test: the oldest supported, the long-term support release, and the one used for development. */
const releases: readonly (readonly [name: string, path: string])[] = [
  ['Node 22.14', join(import.meta.dirname, 'node_modules/node-22/bin/node')],
  ['Node 24', join(import.meta.dirname, 'node_modules/node-24/bin/node')],
  ['Node 26', process.execPath],
]

const pages: Readonly<Record<string, PageRights>> = {
  'with shared memory': { isIsolated: true, hasWasm: true },
  'without shared memory': { isIsolated: false, hasWasm: true },
  'without shared memory and WebAssembly': { isIsolated: false, hasWasm: false },
}

let passed = 0
let failed = 0

/** Runs one check and prints its result. */
async function check(name: string, run: () => Promise<void> | void): Promise<void> {
  const startedMs = performance.now()
  const seconds = (): string => ((performance.now() - startedMs) / 1000).toFixed(1)
  try {
    await run()
    passed++
    console.log(`ok      ${name} (${seconds()} s)`)
  } catch (error) {
    failed++
    const { message, stdout = '' } = error as Error & { readonly stdout?: string }
    console.log(`FAILED  ${name} (${seconds()} s)\n${message}\n${stdout}`)
  }
}

function same(found: string, expected: string): void {
  if (found !== expected) throw new Error(`found\n${found}\ninstead of\n${expected}`)
}

function has(text: string, part: string | RegExp): void {
  if (typeof part === 'string' ? !text.includes(part) : !part.test(text)) throw new Error(`no ${part} in\n${text}`)
}

async function run(program: string, args: readonly string[], folder = project): Promise<string> {
  const { stdout } = await execute(program, [...args], { cwd: folder, maxBuffer: 1 << 26, timeout: 300_000 })
  return stdout
}

/** Returns the first program of the README and its documented output. */
function readmeExample(): { readonly program: string; readonly answer: string } {
  const program = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1] ?? ''
  const answer = [...program.matchAll(/^\/\/ (.*)$/gm)].map(([, line]) => `${line}\n`).join('')
  if (answer === '') throw new Error('the first program of the README prints nothing')
  return { program, answer }
}

/** Starts the packed server, sends it a request over loopback, and stops it. */
async function serves(node: string, args: readonly string[]): Promise<void> {
  // npx starts a shell that does not forward signals, so the signal goes to the whole process group.
  const child = spawn(node, [...args, 'serve', '--port', '0'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  try {
    const address = await new Promise<string>((done, fail) => {
      let text = ''
      const read = (piece: Buffer): void => {
        text += String(piece)
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)
        if (found !== null) done(found[0])
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.on('exit', (code) => fail(new Error(`ended with ${code}:\n${text}`)))
      setTimeout(() => fail(new Error(`no address after a minute:\n${text}`)), 60_000).unref()
    })
    same(String((await fetch(`${address}/healthz`)).status), '200')
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT')
  }
}

interface PackedSizes {
  readonly size: number
  readonly unpackedSize: number
}

/** Size budgets in bytes, about 5 % above the current size, so that growth requires a decision. */
const BUDGET_BYTES: PackedSizes = { size: 5_700_000, unpackedSize: 20_700_000 }

/**
 * Returns a line for each package with a vulnerability of high or critical severity, or the reason why there is no
 * report.
 */
async function advisories(): Promise<{ readonly report?: string; readonly reason?: string }> {
  // A non-zero exit code means vulnerabilities, but also an unreachable registry.
  const args = ['audit', '--omit=dev', '--json', '--audit=true']
  const failed = (error: { readonly stdout?: string }): string => error.stdout ?? '{}'
  const text = await run('npm', args, root).catch(failed)
  const { vulnerabilities, message } = JSON.parse(text) as {
    readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>
    readonly message?: string
  }
  if (vulnerabilities === undefined) return { reason: message ?? 'the registry gives no answer' }
  const severe = Object.entries(vulnerabilities).filter(([, { severity }]) => /high|critical/.test(severity))
  return { report: severe.map(([name, { severity, range }]) => `${name} ${range}: ${severity}`).join('\n') }
}

/** Compiles and tests an example as a separate package. */
async function passesAlone(example: string, packed: string): Promise<void> {
  const folder = join(project, 'examples', example)
  cpSync(join(root, 'examples', example), folder, { recursive: true })
  copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'))
  await run('npm', ['install', '--no-save', packed, '--prefer-offline', '--no-audit', '--no-fund'], folder)
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'esnext',
    module: 'nodenext',
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  if (readdirSync(folder).some((name) => name.endsWith('.ts')))
    await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], folder)
  await run('npm', ['test'], folder)
}

const { program, answer } = readmeExample()
const probe = readFileSync(join(import.meta.dirname, 'probe.js'), 'utf8')
const line = '{"_time":"2026-03-10T11:20:00Z","level":"error","workload":"payments","content":"pool exhausted"}\n'
const question = 'level:error | stats by (workload) count() as n'
const cli = join(project, 'node_modules/sluice/bin/sluice.cjs')

try {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', project], { cwd: root })
  const { name, version, exports, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly version: string
    readonly exports: Readonly<Record<string, unknown>>
    readonly peerDependencies: Readonly<Record<string, string>>
  }
  const packed = join(project, `${name}-${version}.tgz`)
  copyFileSync(join(root, '.npmrc'), join(project, '.npmrc'))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  writeFileSync(join(project, 'readme.ts'), program)
  writeFileSync(join(project, 'probe.js'), probe)
  writeFileSync(join(project, 'logs.ndjson'), line)

  await check('npm publish --dry-run', async () => {
    const { stderr } = await execute('npm', ['publish', '--dry-run', '--provenance=false'], { cwd: root })
    const warnings = stderr
      .split('\n')
      .filter((text) =>
        /npm warn(?! Unknown (user|env) config| publish This command requires you to be logged in)/.test(text),
      )
    same(warnings.join('\n'), '')
  })
  await check('the sizes of the package', () => {
    const listed = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: root, encoding: 'utf8' })
    const [{ size, unpackedSize } = { size: Infinity, unpackedSize: Infinity }] = JSON.parse(listed) as PackedSizes[]
    console.log(`        ${size} bytes packed, ${unpackedSize} bytes unpacked`)
    if (size > BUDGET_BYTES.size || unpackedSize > BUDGET_BYTES.unpackedSize)
      throw new Error(`more than ${BUDGET_BYTES.size} bytes packed or ${BUDGET_BYTES.unpackedSize} unpacked`)
  })
  await check('known weaknesses of its dependencies, as far as the registry tells', async () => {
    const { report, reason } = await advisories()
    if (report === undefined) console.log(`        not checked: ${reason}`)
    else same(report, '')
  })
  await check('publint', async () => {
    has(
      await run(process.execPath, [join(root, 'node_modules/publint/src/cli.js'), packed, '--strict']),
      /good|no issues/i,
    )
  })
  await check('npm install of the packed file', async () => {
    const peers = ['better-sqlite3', 'fast-check'].map((peer) => `${peer}@${peerDependencies[peer]}`)
    await run('npm', ['install', packed, ...peers, '--prefer-offline', '--no-audit', '--no-fund'])
  })
  // Test each version range with its first version and with the newest one that exists.
  const ages: Readonly<Record<string, (range: string) => string>> = {
    oldest: (range) => /\d[\w.-]*/.exec(range)?.[0] ?? range,
    newest: (range) => range,
  }
  for (const [age, versionOf] of Object.entries(ages)) {
    await check(`beside the ${age} peers`, async () => {
      const folder = join(project, age)
      mkdirSync(folder)
      for (const file of ['.npmrc', 'package.json', 'logs.ndjson'])
        copyFileSync(join(project, file), join(folder, file))
      copyFileSync(join(import.meta.dirname, 'peers.js'), join(folder, 'peers.js'))
      const peers = Object.entries(peerDependencies).map(([peer, range]) => `${peer}@${versionOf(range)}`)
      await run('npm', ['install', packed, ...peers, '--prefer-offline', '--no-audit', '--no-fund'], folder)
      const found = await run(process.execPath, ['peers.js'], folder)
      // Releases of better-sqlite3 before 13 have no native binary until their install script has run.
      const sqlite = age === 'newest' ? '1' : '(1|sqlite/cannot-open)'
      has(found, new RegExp(`^fast-check 1\nduckdb \\[\\{"n":1\\}\\]\nothers true\nbetter-sqlite3 ${sqlite}\n$`))
    })
  }
  await check('npx of the packed file: query and serve', async () => {
    // Put this Node first in the PATH, as npm does for every script.
    process.env['PATH'] = `${dirname(process.execPath)}:${process.env['PATH']}`
    const npx = ['--yes', '--prefer-offline', `--package=${packed}`, '--', 'sluice']
    same(await run('npx', [...npx, 'query', question, 'logs.ndjson']), '{"workload":"payments","n":1}\n')
    await serves('npx', npx)
  })

  for (const example of readdirSync(join(root, 'examples'), { withFileTypes: true })) {
    if (!example.isDirectory()) continue
    await check(`examples/${example.name}`, () => passesAlone(example.name, packed))
  }
  let expected = ''
  for (const [release, node] of [...releases].toReversed()) {
    await check(`${release}: every sub-path loads`, async () => {
      const paths = Object.keys(exports).filter((path) => !path.endsWith('.json') && path !== './types')
      const specifiers = paths.map((path) => JSON.stringify(path.replace(/^\./, name)))
      const loads = specifiers.map(
        (specifier) => `if (Object.keys(await import(${specifier})).length === 0) throw ${specifier}`,
      )
      await run(node, ['--input-type=module', '--eval', loads.join('\n')])
    })
    await check(`${release}: the program of the README`, async () => {
      const stripped = program.replaceAll(/^import type.*$/gm, '')
      same(await run(node, ['--input-type=module', '--eval', stripped]), answer)
    })
    await check(`${release}: the probe`, async () => {
      const found = await run(node, ['probe.js'])
      if (expected === '') expected = found
      same(found, expected)
      same(String(found.trimEnd().split('\n').length > 20), 'true')
    })
    await check(`${release}: query in memory and in SQLite, serve`, async () => {
      same(await run(node, [cli, 'query', question, 'logs.ndjson']), '{"workload":"payments","n":1}\n')
      const sqlite = [cli, 'query', question, 'logs.ndjson', '--backend', 'sqlite']
      same(await run(node, sqlite), '{"workload":"payments","n":1}\n')
      await serves(node, [cli])
    })
  }
  await check('sluice/server in one file, by esbuild: an answer over HTTP', async () => {
    const page = readFileSync(join(root, 'docs/embedding.md'), 'utf8')
    const [, served = ''] = /```ts\n([^`]*sluice\/server[^`]*)```/.exec(page) ?? []
    const [, prints = 'nothing is shown'] = /^\/\/ (.*)$/m.exec(served) ?? []
    writeFileSync(join(project, 'served.ts'), served)
    const esbuild = join(import.meta.dirname, 'node_modules/.bin/esbuild')
    const bundled = join(mkdtempSync(join(tmpdir(), 'sluice-bundled-')), 'served.mjs')
    await run(esbuild, ['served.ts', '--bundle', '--platform=node', '--format=esm', `--outfile=${bundled}`])
    try {
      for (const [, node] of releases) same(await run(node, [bundled], dirname(bundled)), `${prints}\n`)
    } finally {
      rmSync(dirname(bundled), { recursive: true })
    }
  })
  for (const [bundler, bundle] of Object.entries(bundlers)) {
    for (const [page, rights] of Object.entries(pages)) {
      await check(`a browser, by ${bundler}, ${page}: the program of the README and the probe`, async () => {
        const readme = await bundle(join(project, 'readme.ts'), project)
        same(await answersInBrowser(readme, rights), answer)
        same(await answersInBrowser(await bundle(join(project, 'probe.js'), project), rights), expected)
      })
    }
  }
} finally {
  rmSync(project, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
