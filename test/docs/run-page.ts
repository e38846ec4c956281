import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { program } from '../harness/program.ts'
import { PROCESS_KEY } from '../harness/server-process.ts'
import { root, type Block, type Page } from './pages.ts'

/** The server address as written on pages. It is replaced by the address of the server that the page started. */
const WRITTEN_ADDRESS = /http:\/\/(?:127\.0\.0\.1|localhost):7400/g

/** A difference between the output of a block and the page, with the line of the page. */
export interface PageFault {
  readonly at: string
  readonly expected: string
  readonly actual: string
}

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/**
 * True if the output matches the page. On the page, a line `…` matches any number of lines, and `…` within a line
 * matches any text.
 */
export function isShown(expected: string, actual: string): boolean {
  const pattern = expected
    .trimEnd()
    .split('\n')
    .map((line) => (line === '…' ? '(?:.*\\n)*?.*' : line.split('…').map(escapePattern).join('.*').trimEnd() + ' *'))
  return new RegExp(`^${pattern.join('\\n')}$`).test(actual.trimEnd())
}

/** Runs one page in a temporary folder. Its blocks see the files, exported variables and servers of earlier blocks. */
class PageRun {
  private readonly folder = mkdtempSync(join(tmpdir(), 'sluice-docs-'))
  private readonly servers: ChildProcess[] = []
  private address: string | undefined
  private readonly env: NodeJS.ProcessEnv

  constructor() {
    const bin = join(this.folder, '.bin')
    mkdirSync(bin)
    for (const [name, file] of [
      ['sluice', program],
      ['curl', join(import.meta.dirname, 'curl.ts')],
      ['node', ''],
    ] as const) {
      writeFileSync(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' ${file && `'${file}'`} "$@"\n`)
      chmodSync(join(bin, name), 0o755)
    }
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'))
    symlinkSync(join(root, 'fixtures'), join(this.folder, 'fixtures'))
    this.env = {
      ...process.env,
      PATH: `${bin}:${process.env['PATH']}`,
      XDG_CONFIG_HOME: join(this.folder, 'nowhere'),
      SLUICE_API_KEY: PROCESS_KEY,
      SLUICE_SERVE_PORT: '0',
      SLUICE_SERVE_WORKERS: '1',
    }
  }

  /** Returns the output of a block, including an exit code that is not zero. */
  async output({ language, text }: Block): Promise<string> {
    if (language === 'ts') return this.runProgram(text)
    const script = this.address === undefined ? text : text.replaceAll(WRITTEN_ADDRESS, this.address)
    if (script.startsWith('sluice serve')) return this.serve(script)
    for (const [, name = '', value = ''] of script.matchAll(/^export (\w+)=(\S+)$/gm)) this.env[name] = value
    const ran = spawnSync('sh', ['-eu', '-c', script], {
      cwd: this.folder,
      env: this.env,
      encoding: 'utf8',
      timeout: 60_000,
    })
    return ran.status === 0 ? ran.stdout : `${ran.stdout}${ran.stderr}(exit code ${ran.status ?? ran.signal})`
  }

  private runProgram(text: string): string {
    const entry = (path: string): string => pathToFileURL(join(root, `src/entries/${path}.ts`)).href
    const code = text.replaceAll(
      /from 'sluice(?:\/(\w+))?'/g,
      (_, path?: string) => `from '${entry(path ?? 'sluice')}'`,
    )
    writeFileSync(join(this.folder, 'program.ts'), code)
    const ran = spawnSync(process.execPath, ['program.ts'], {
      cwd: this.folder,
      env: this.env,
      encoding: 'utf8',
      timeout: 60_000,
    })
    return ran.status === 0 ? ran.stdout : `${ran.stdout}${ran.stderr}(exit code ${ran.status ?? ran.signal})`
  }

  private async serve(script: string): Promise<string> {
    // A page that starts a server again, for example with other options, has stopped the first one.
    await this.stopServers()
    const server = spawn('sh', ['-c', `exec ${script}`], {
      cwd: this.folder,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.servers.push(server)
    let output = ''
    this.address = await new Promise<string>((resolve, reject) => {
      const take = (chunk: Buffer): void => {
        output += chunk.toString()
        const found = /listens on (http:\S+)/.exec(output)?.[1]
        if (found !== undefined) resolve(found)
      }
      server.stdout.on('data', take)
      server.stderr.on('data', take)
      server.once('exit', () => reject(new Error(output)))
    })
    return output
  }

  private async stopServers(): Promise<void> {
    for (const server of this.servers.splice(0)) {
      const end = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await end
    }
  }

  async close(): Promise<void> {
    await this.stopServers()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/**
 * Returns the output that a page shows for a block: the `// ` comments of a program, otherwise the `text` block that
 * follows.
 */
function shownOutput(block: Block, next: Block | undefined): string | undefined {
  if (block.language === 'ts') {
    const lines = block.text.split('\n').filter((line) => line.startsWith('// '))
    return lines.map((line) => line.slice(3)).join('\n')
  }
  return next?.language === 'text' ? next.text : undefined
}

/** Runs the `sh` and `ts` blocks of a page in order and returns the differences. */
export async function runPage(page: Page): Promise<readonly PageFault[]> {
  const run = new PageRun()
  const faults: PageFault[] = []
  try {
    for (const [i, block] of page.blocks.entries()) {
      if (block.language !== 'sh' && block.language !== 'ts') continue
      const actual = await run.output(block)
      const expected = shownOutput(block, page.blocks[i + 1])
      const hasFailed = /\(exit code .*\)$/.test(actual)
      if (expected === undefined ? hasFailed : !isShown(expected, actual))
        faults.push({ at: `${page.path}:${block.line}`, expected: expected ?? 'exit code 0', actual })
    }
  } finally {
    await run.close()
  }
  return faults
}
