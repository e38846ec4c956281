import snappy from 'snappyjs'
import type { Attack, Caller } from '../attack.ts'

/** Wraps bytes in nested protobuf fields; the first field number is the innermost. */
function nested(content: Uint8Array, ...fields: readonly number[]): Buffer {
  let message = Buffer.from(content)
  for (const field of fields) {
    const length: number[] = []
    for (let rest = message.length; ; rest = Math.floor(rest / 128)) {
      length.push(rest < 128 ? rest : (rest % 128) | 128)
      if (rest < 128) break
    }
    message = Buffer.concat([Buffer.from([(field << 3) | 2, ...length]), message])
  }
  return message
}

const text = (value: string, field: number): Buffer => nested(Buffer.from(value), field)

/** Returns `count` empty protobuf messages in one field, each of two bytes. */
const empty = (field: number, count: number): Buffer => Buffer.alloc(2 * count, Buffer.from([(field << 3) | 2, 0]))

/** Returns an OTLP metrics export with one metric that has these fields. */
const metric = (...fields: readonly Buffer[]): Buffer => nested(Buffer.concat([text('m', 1), ...fields]), 2, 2, 1)

/** Returns an OTLP metrics export with one gauge point that has these fields. */
const gauge = (...fields: readonly Buffer[]): Buffer => metric(nested(Buffer.concat(fields), 1, 5))
const ONE = Buffer.from([(6 << 3) | 1, 1, 0, 0, 0, 0, 0, 0, 0])

const attribute = (key: string, value: Buffer): Buffer => Buffer.concat([text(key, 1), nested(value, 2)])

function lists(depth: number): Buffer {
  let value = text('x', 1)
  for (let i = 0; i < depth; i++) value = nested(value, 1, 5)
  return value
}

const PROTOBUF = { 'Content-Type': 'application/x-protobuf' }
const WRITE_2 = {
  'Content-Type': 'application/x-protobuf;proto=io.prometheus.write.v2.Request',
  'Content-Encoding': 'snappy',
}

const packed = (bytes: Buffer): Buffer => Buffer.from(snappy.compress(new Uint8Array(bytes)))

const metrics = (name: string, body: () => Buffer): Attack => ({
  name: `metrics: ${name}`,
  isOne: true,
  run: (caller) => caller.send('/v1/metrics', { headers: PROTOBUF, body: body() }),
})

const push = (caller: Caller, body: Buffer): Promise<void> =>
  caller.send('/loki/api/v1/push', { headers: PROTOBUF, body: packed(body) })

/** Attacks with payloads in the formats of metric and log agents that no real agent would send. */
export const agentAttacks: readonly Attack[] = [
  metrics('half a million attributes on a point', () => gauge(empty(7, 500_000), ONE)),
  metrics('half a million attributes on a resource', () => nested(empty(1, 500_000), 1, 1)),
  metrics('a hundred thousand buckets', () => metric(nested(nested(Buffer.alloc(800_000), 6), 1, 9))),
  metrics('30 million points', () => metric(nested(empty(1, 30_000_000), 5))),
  metrics('values in values without end', () => gauge(nested(attribute('a', lists(1000)), 7), ONE)),
  metrics('texts that are not UTF-8', () =>
    gauge(nested(attribute('a', nested(Buffer.alloc(200_000, 0xff), 1)), 7), ONE),
  ),
  {
    name: 'metrics: a hundred thousand new series a body',
    leavesData: true,
    run: async (caller) => {
      for (let body = 0; body < 3 && !caller.signal.aborted; body++) {
        const points = Array.from({ length: 100_000 }, (_, i) =>
          nested(Buffer.concat([nested(attribute('id', text(`${body}-${i}`, 1)), 7), ONE]), 1),
        )
        await caller.send('/v1/metrics', { headers: PROTOBUF, body: metric(nested(Buffer.concat(points), 5)) })
      }
    },
  },
  {
    name: 'metrics: buckets of many labels',
    run: async (caller) => {
      const labels = Array.from({ length: 100 }, (_, i) => nested(attribute(`label${i}`, text('x', 1)), 9))
      const bounds = new Float64Array(2000).map((_, i) => i)
      const fields = [...labels, nested(Buffer.from(bounds.buffer), 7), nested(Buffer.alloc(2001 * 8), 6)]
      const points = Array.from({ length: 500 }, () => nested(Buffer.concat(fields), 1))
      const temporality = Buffer.from([2 << 3, 2])
      await caller.send('/v1/metrics', {
        headers: PROTOBUF,
        body: metric(nested(Buffer.concat([...points, temporality]), 9)),
      })
    },
  },
  {
    name: 'remote write 2: symbols that are not there',
    run: (caller) => {
      const series = nested(nested(Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 1]), 1), 5)
      return caller.send('/api/v1/write', {
        headers: WRITE_2,
        body: packed(Buffer.concat(Array.from({ length: 100_000 }, () => series))),
      })
    },
  },
  {
    name: 'Loki: 10 million streams',
    run: (caller) => push(caller, empty(1, 10_000_000)),
  },
  {
    name: 'Loki: half a million pairs on a line',
    run: (caller) => push(caller, nested(empty(3, 500_000), 2, 1)),
  },
  {
    name: 'Loki: labels of a megabyte',
    run: (caller) =>
      push(caller, nested(Buffer.concat([text(`{${'a="b",'.repeat(200_000)}`, 1), nested(text('x', 2), 2)]), 1)),
  },
]
