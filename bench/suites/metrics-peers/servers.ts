import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { authorized, startServer } from '../../../test/harness/server-process.ts'

/** A server under test. */
export interface MetricServer {
  readonly name: 'Sluice' | 'VictoriaMetrics' | 'Prometheus'
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  /** URL parameters of every query. */
  readonly parameters: Readonly<Record<string, string>>
  /** The process id of a server that was started here. */
  readonly pid: number | undefined
  stop(): Promise<unknown>
}

const READY_MS = 30_000
const STOP_MS = 10_000

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a program on the loopback address with a temporary folder, which is deleted with it. */
async function started(
  program: string,
  argsFor: (folder: string, listen: string) => readonly string[],
): Promise<Pick<MetricServer, 'address' | 'pid' | 'stop'>> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-metrics-peer-'))
  const listen = `127.0.0.1:${await freePort()}`
  const child = spawn(program, argsFor(folder, listen), { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2000)))
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const hasEnded = (): boolean => failure !== undefined || child.exitCode !== null || child.signalCode !== null
  const stop = async (): Promise<void> => {
    if (!hasEnded()) {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      const late = setTimeout(kill, STOP_MS)
      await gone
      clearTimeout(late)
    }
    process.off('exit', kill)
    rmSync(folder, { recursive: true, force: true })
  }
  const address = `http://${listen}`
  for (const startMs = performance.now(); ; await sleep(50)) {
    const isReady = await fetch(`${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady && !hasEnded()) return { address, pid: child.pid, stop }
    if (!hasEnded() && performance.now() - startMs < READY_MS) continue
    await stop()
    throw new Error(`${program} does not become ready: ${failure?.message ?? errors}`)
  }
}

const nobody = { pid: undefined, stop: async () => undefined }

/** The `url` of a running server, or the `program` to start. */
export interface Whereabouts {
  readonly url: string | undefined
  readonly program: string | undefined
}

/** Connects to VictoriaMetrics, whose cache of range answers is switched off. */
export async function victoriaMetrics({ url, program }: Whereabouts): Promise<MetricServer> {
  const own = { name: 'VictoriaMetrics', headers: {}, parameters: { nocache: '1' } } as const
  if (program === undefined) return { ...own, ...nobody, address: url ?? '' }
  const server = await started(program, (folder, listen) => [
    `-storageDataPath=${folder}`,
    `-httpListenAddr=${listen}`,
    '-retentionPeriod=100y',
  ])
  return { ...own, ...server }
}

export async function prometheus({ url, program }: Whereabouts): Promise<MetricServer> {
  const own = { name: 'Prometheus', headers: {}, parameters: {} } as const
  if (program === undefined) return { ...own, ...nobody, address: url ?? '' }
  const server = await started(program, (folder, listen) => {
    const config = join(folder, 'prometheus.yml')
    writeFileSync(config, '{}\n')
    return [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      '--storage.tsdb.retention.time=100y',
      `--web.listen-address=${listen}`,
      '--web.enable-remote-write-receiver',
    ]
  })
  return { ...own, ...server }
}

/** Starts our server, in memory or with a temporary data folder. */
export async function sluice(withData: boolean, args: readonly string[]): Promise<MetricServer> {
  const folder = withData ? mkdtempSync(join(tmpdir(), 'sluice-metrics-own-')) : undefined
  const server = await startServer([...(folder === undefined ? [] : ['--data', folder]), ...args])
  return {
    name: 'Sluice',
    address: server.address,
    headers: authorized(),
    parameters: {},
    pid: server.child.pid,
    stop: async () => {
      await server.stop()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
