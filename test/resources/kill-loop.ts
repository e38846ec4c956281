import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { auditRecords, openSqliteDocumentStore, type DocumentStore } from '../../src/resources/index.ts'
import { documentId, stateAfter } from './kill-plan.ts'
import { inFolder, ticking } from './stores.ts'

const WRITER = fileURLToPath(new URL('kill-writer.ts', import.meta.url))

export interface KillOptions {
  readonly cycles: number
  /** Each has one change under way at any time. */
  readonly writers: number
  /** 0 to below 1. */
  readonly random: () => number
}

export interface KillReport {
  cycles: number
  acknowledged: number
  /** Changes that were under way at the kill and are there all the same: nobody was promised anything. */
  unacknowledged: number
  readonly faults: string[]
}

/** Runs writers, kills them with SIGKILL, and gives the last step that each had acknowledged. */
async function runAndKill(path: string, cycle: number, writers: number, afterMs: number): Promise<number[]> {
  const last = Array.from({ length: writers }, () => -1)
  const child = spawn(process.execPath, [WRITER, path, String(cycle), String(writers)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let rest = ''
  let timer: NodeJS.Timeout | undefined
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    timer ??= setTimeout(() => child.kill('SIGKILL'), afterMs)
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [writer, step] = line.split(' ').map(Number)
      last[writer] = step
    }
  })
  await new Promise((resolve) => child.on('close', resolve))
  return last
}

function stored(store: DocumentStore, id: string): string | undefined {
  const found = store.read('default', (view) => view.get('monitor', id))
  return found === undefined ? undefined : JSON.stringify(found.body)
}

/** Kills a writing process again and again and compares what is left with what was acknowledged. */
export async function killLoop(options: KillOptions, progress?: (report: KillReport) => void): Promise<KillReport> {
  const { cycles, writers, random } = options
  const report: KillReport = { cycles: 0, acknowledged: 0, unacknowledged: 0, faults: [] }
  await inFolder(async (folder) => {
    const path = join(folder, 'resources.db')
    /** What every document was found to be after its cycle: later kills must not touch it. */
    const settled = new Map<string, string | undefined>()
    for (let cycle = 0; cycle < cycles; cycle++) {
      const last = await runAndKill(path, cycle, writers, 20 + Math.floor(random() * 300))
      const store = await openSqliteDocumentStore(path, ticking())
      let changes = 0
      last.forEach((step, writer) => {
        const id = documentId(cycle, writer)
        const found = stored(store, id)
        const isAcknowledged = found === stateAfter(writer, step)
        const isNext = found === stateAfter(writer, step + 1)
        if (!isAcknowledged && !isNext)
          report.faults.push(`${id}: step ${step} was acknowledged, found ${found?.slice(0, 60)}`)
        if (!isAcknowledged) report.unacknowledged++
        report.acknowledged += step + 1
        changes += step + 1
        settled.set(id, found)
      })
      const isLast = cycle === cycles - 1
      for (const [id, body] of isLast ? settled : [...settled].slice(-writers * 5)) {
        if (stored(store, id) !== body) report.faults.push(`${id} of an earlier cycle has changed`)
      }
      checkAudit(store, report, changes, isLast)
      await store.close()
      report.cycles++
      progress?.(report)
      if (report.faults.length > 20) return
    }
  })
  return report
}

let lastAudit = 0

/** The audit counts on without gaps, and has a record for each change that was acknowledged. */
function checkAudit(store: DocumentStore, report: KillReport, changes: number, isLast: boolean): void {
  if (report.cycles === 0) lastAudit = 0
  const records = store.read('default', (view) => auditRecords(view, isLast ? 0 : lastAudit))
  const start = isLast ? 0 : lastAudit
  const gap = records.findIndex(({ number }, i) => number !== start + i + 1)
  if (gap !== -1) report.faults.push(`a gap in the audit at ${start + gap + 1}`)
  const fresh = start + records.length - lastAudit
  if (fresh < changes) report.faults.push(`${changes} changes, ${fresh} audit records`)
  lastAudit = start + records.length
}

if (import.meta.main) {
  const cycles = Number(process.argv[2] ?? 100)
  const writers = Number(process.argv[3] ?? 16)
  const startedMs = performance.now()
  const report = await killLoop({ cycles, writers, random: Math.random }, ({ cycles: done, acknowledged, faults }) => {
    if (done % 10 === 0) console.log(`${done} cycles, ${acknowledged} changes acknowledged, ${faults.length} faults`)
  })
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
  console.log(
    `${report.cycles} kills of ${writers} writers in ${seconds} s: ${report.acknowledged} changes acknowledged, ` +
      `${report.unacknowledged} more found that were under way, ${report.faults.length} lost, stale, resurrected or torn`,
  )
  for (const fault of report.faults) console.log(`  ${fault}`)
  process.exitCode = report.faults.length === 0 ? 0 : 1
}
