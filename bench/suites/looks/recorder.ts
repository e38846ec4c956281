import { Session } from 'node:inspector/promises'
import type { Profiler } from 'node:inspector'
import { Budget } from '../../../src/base/index.ts'

/** A period of work; times are microseconds of the monotonic clock. */
export interface Stretch {
  readonly startUs: number
  readonly endUs: number
  /** Processor milliseconds of the thread. */
  readonly processorMs: number
}

export interface Recording {
  /** Periods between two checkpoints, the longest first. */
  readonly looks: readonly Stretch[]
  /** Returns the deepest function in which most of a period was spent, with its share. */
  readonly where: (stretch: Stretch) => string
}

const KEPT = 5
const LEAST_MS = 0.5

class Longest {
  #found: Stretch[] = []
  #since = process.threadCpuUsage()
  #sinceUs = nowUs()
  #askedMs = 0

  /**
   * Records a checkpoint. Most are ignored, since reading the processor time takes longer than most periods between two
   * of them.
   */
  mark(): void {
    if (performance.now() - this.#askedMs < LEAST_MS) return
    this.#askedMs = performance.now()
    const { user, system } = process.threadCpuUsage(this.#since)
    const endUs = nowUs()
    const processorMs = (user + system) / 1000
    if (processorMs > (this.#found.at(-1)?.processorMs ?? 0) || this.#found.length < KEPT) {
      this.#found.push({ startUs: this.#sinceUs, endUs, processorMs })
      this.#found = this.#found.toSorted((a, b) => b.processorMs - a.processorMs).slice(0, KEPT)
    }
    this.#since = process.threadCpuUsage()
    this.#sinceUs = nowUs()
  }

  get found(): readonly Stretch[] {
    return this.#found
  }
}

function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

/** Runs `piece` and returns the periods without a checkpoint. Letting the event loop run counts as a checkpoint. */
export async function recorded(piece: () => Promise<void>): Promise<Recording> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 250 })
  await session.post('Profiler.start')
  const looks = new Longest()
  // oxlint-disable-next-line typescript/unbound-method -- it is called on the budget it was meant for
  const { checkpoint } = Budget.prototype
  Budget.prototype.checkpoint = function (this: Budget): void {
    looks.mark()
    checkpoint.call(this)
  }
  const over = new AbortController()
  const watching = (async (): Promise<void> => {
    while (!over.signal.aborted) {
      await new Promise((resolve) => setImmediate(resolve))
      looks.mark()
    }
  })()
  try {
    await piece()
  } finally {
    over.abort()
    await watching
    Budget.prototype.checkpoint = checkpoint
  }
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return { looks: looks.found, where: (stretch) => whereIn(profile, stretch) }
}

/** The share of a period above which a function counts as the place where it was spent. */
const MOST = 0.75

function whereIn({ nodes, samples = [], timeDeltas = [], startTime }: Profiler.Profile, stretch: Stretch): string {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const counts = new Map<number, number>()
  const selfs = new Map<string, number>()
  let all = 0
  let atUs = startTime
  for (const [i, id] of samples.entries()) {
    atUs += timeDeltas[i] ?? 0
    if (atUs < stretch.startUs || atUs > stretch.endUs) continue
    all++
    const node = byId.get(id)
    if (node !== undefined) selfs.set(nameOf(node), (selfs.get(nameOf(node)) ?? 0) + 1)
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at))
      counts.set(at, (counts.get(at) ?? 0) + 1)
  }
  const path: string[] = []
  let at = nodes[0]
  while (at !== undefined) {
    const next: Profiler.ProfileNode | undefined = (at.children ?? [])
      .map((id) => byId.get(id))
      .find((node) => node !== undefined && (counts.get(node.id) ?? 0) >= all * MOST)
    if (next === undefined) break
    path.push(nameOf(next))
    at = next
  }
  const top = [...selfs].toSorted(([, a], [, b]) => b - a).slice(0, 3)
  const share = (count: number): string => `${Math.round((100 * count) / Math.max(all, 1))} %`
  return `${path.slice(-4).join(' > ')}; itself in ${top.map(([name, count]) => `${name} ${share(count)}`).join(', ')}`
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: Profiler.ProfileNode): string {
  const file = url.slice(url.lastIndexOf('/') + 1)
  return `${functionName === '' ? '=>' : functionName}${file === '' ? '' : ` ${file}:${lineNumber + 1}`}`
}
