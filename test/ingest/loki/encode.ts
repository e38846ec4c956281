import protobuf from 'protobufjs'
import snappy from 'snappyjs'

/** Messages of a Loki push, from the public definition of the protocol. */
const root = protobuf.parse(
  `
  syntax = "proto3";
  message Push { repeated Stream streams = 1; }
  message Stream { string labels = 1; repeated Entry entries = 2; uint64 hash = 3; }
  message Entry { Timestamp timestamp = 1; string line = 2; repeated Pair structuredMetadata = 3; repeated Pair parsed = 4; }
  message Timestamp { int64 seconds = 1; int32 nanos = 2; }
  message Pair { string name = 1; string value = 2; }
`,
  { keepCase: true },
).root

export interface PushedEntry {
  readonly ns?: string
  readonly line: string
  readonly metadata?: Readonly<Record<string, string>>
}

export interface PushedStream {
  readonly labels: Readonly<Record<string, string>>
  readonly entries: readonly PushedEntry[]
}

function selector(labels: Readonly<Record<string, string>>): string {
  return `{${Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(', ')}}`
}

/** Encodes a push as protobuf and compresses it with snappy, as agents do. */
export function encodePush(streams: readonly PushedStream[]): Uint8Array<ArrayBuffer> {
  const type = root.lookupType('Push')
  const message = {
    streams: streams.map(({ labels, entries }) => ({
      labels: selector(labels),
      hash: '17',
      entries: entries.map(({ ns, line, metadata = {} }) => ({
        line,
        structuredMetadata: Object.entries(metadata).map(([name, value]) => ({ name, value })),
        ...(ns === undefined
          ? {}
          : {
              timestamp: { seconds: String(BigInt(ns) / 1_000_000_000n), nanos: Number(BigInt(ns) % 1_000_000_000n) },
            }),
      })),
    })),
  }
  return new Uint8Array(snappy.compress(new Uint8Array(type.encode(type.fromObject(message)).finish())))
}

/** Returns the same push in its JSON form. */
export function jsonPush(streams: readonly PushedStream[]): object {
  return {
    streams: streams.map(({ labels, entries }) => ({
      stream: labels,
      values: entries.map(({ ns = '0', line, metadata }) => [ns, line, ...(metadata === undefined ? [] : [metadata])]),
    })),
  }
}
