import { parseArgs } from 'node:util'
import { atOnce } from '../../src/base/index.ts'
import { decoderFor } from '../../src/server/ingest/decoders.ts'
import { newTarget } from '../../src/server/tenant.ts'
import { protocols, type Protocol } from './protocols/bodies.ts'
import { servedRate } from './protocols/served.ts'

/**
 * What is taken in of each protocol: `npm run bench -- protocols [--rounds 20] [--only TEXT] [--served]`. Each body is sent with later
 * times again and again. One thread reads and stores it, unpacked where the decoder does not unpack, without HTTP and without the log, the
 * first round not counted; or, `--served`, a server with a data folder acknowledges it.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    served: { type: 'boolean', default: false },
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
    const { accepted } = atOnce(atOnce(decoder.decode(payload, BigInt(Date.now()) * 1_000_000n)).apply(target))
    const { user, system } = process.cpuUsage(before)
    if (accepted < count) throw new Error(`${name}: ${accepted} of ${count} were stored`)
    if (round === 0) continue
    seconds += (user + system) / 1e6
    bytes += payload.length
  }
  tell(protocol, (rounds * count) / seconds, `${(bytes / seconds / 1e6).toFixed(0)} MB/s as sent`)
}

for (const protocol of protocols.filter(({ name }) => name.includes(values.only))) {
  if (values.served) {
    const { perSecond, processorUs } = await servedRate(protocol, rounds)
    tell(protocol, perSecond, `${processorUs.toFixed(2)} µs of the server a record`)
  } else inOneThread(protocol)
}
