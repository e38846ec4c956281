import { parseArgs } from 'node:util'
import { runToEnd } from '../../src/base/index.ts'
import { decoderFor } from '../../src/server/ingest/decoders/index.ts'
import { newTarget } from '../../src/server/backends/tenant.ts'
import { protocols, type Protocol } from './protocols/bodies.ts'
import { servedRate } from './protocols/served.ts'

/**
 * The ingestion rate of each protocol: `npm run bench -- protocols [--rounds 20] [--only TEXT]`. Each body is sent
 * again and again with later times. One thread decodes and stores it without HTTP and without the log; the first round
 * does not count. With `-- protocols --served [--records 500000] [--gzip]` another process sends bodies to a server
 * with a data folder, and the processor time of the server's threads is reported; half as many records are sent first
 * as a warm-up.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    served: { type: 'boolean', default: false },
    records: { type: 'string', default: '500000' },
    gzip: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)

function tell({ name, unit }: Protocol, perSecond: number, more: string): void {
  process.stdout.write(`${name.padEnd(32)} ${String(Math.round(perSecond)).padStart(9)} ${unit}/s, ${more}\n`)
}

function inOneThread(protocol: Protocol): void {
  const { name, table, format, count, body } = protocol
  const decoder = decoderFor(table, format)
  const target = newTarget()
  let seconds = 0
  let bytes = 0
  for (let round = 0; round <= rounds; round++) {
    const payload = body(round)
    const before = process.cpuUsage()
    const { accepted } = runToEnd(runToEnd(decoder.decode(payload, BigInt(Date.now()) * 1_000_000n)).apply(target))
    const { user, system } = process.cpuUsage(before)
    if (accepted < count) throw new Error(`${name}: ${accepted} of ${count} were stored`)
    if (round === 0) continue
    seconds += (user + system) / 1e6
    bytes += payload.length
  }
  tell(protocol, (rounds * count) / seconds, `${(bytes / seconds / 1e6).toFixed(0)} MB/s as sent`)
}

/**
 * Prints the microseconds of a record: of all threads, of the thread that accepts requests, and of the busiest other
 * thread.
 */
async function served(protocol: Protocol): Promise<void> {
  const measured = Math.ceil(Number(values.records) / protocol.count)
  const options = { protocol, rounds: measured, warmUp: Math.ceil(measured / 2), gzip: values.gzip }
  const { records, bytes, seconds, threads, refusals, answersMs, mainId } = await servedRate(options)
  const us = (ofThreads: typeof threads): string =>
    ((ofThreads.reduce((sum, [, own]) => sum + own, 0) * 1e6) / records).toFixed(2)
  const others = threads.filter(([id]) => id !== mainId)
  const at = (share: number): string => answersMs[Math.floor(share * (answersMs.length - 1))].toFixed(0)
  tell(
    protocol,
    records / seconds,
    [
      `${us(threads)} µs of the server each`,
      `${us(threads.filter(([id]) => id === mainId))} of its main thread`,
      `${us(others.slice(0, 1))} of the busiest other`,
      `${(bytes / records).toFixed(0)} bytes`,
      `answers ${at(0.5)} ms, p99 ${at(0.99)}`,
      refusals.length === 0 ? 'none refused' : `${refusals.length} bodies refused, first with ${refusals[0]}`,
    ].join(', '),
  )
}

for (const protocol of protocols.filter(({ name }) => name.includes(values.only))) {
  if (values.served) await served(protocol)
  else inOneThread(protocol)
}
