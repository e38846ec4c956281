import zlib from 'node:zlib'
import { collect } from '../base/index.ts'
import type { ShapeWays } from '../fuzz/shapes/index.ts'
import { createIngestService, newTenant } from '../server/index.ts'
import { readRows } from '../engine/index.ts'

const packers: ReadonlyMap<string, (bytes: Uint8Array) => Buffer> = new Map([
  ['gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['br', zlib.brotliCompressSync],
  // Node provides zstd from version 22.15 on.
  ...('zstdCompressSync' in zlib ? ([['zstd', zlib.zstdCompressSync]] as const) : []),
])

/** Stores payloads as the HTTP endpoints do. */
export const shapeWays: ShapeWays = {
  packings: [...packers.keys()],
  store: async ({ format, contentType, packing, body, pieces }) => {
    const tenant = newTenant()
    const ingest = createIngestService({
      targetOf: () => tenant,
      log: undefined,
      nowNs: () => 1_800_000_000_000_000_000n,
    })
    const packed = packers.get(packing)?.(body) ?? body
    const size = Math.ceil(packed.length / pieces)
    const chunks = Array.from({ length: pieces }, (_, i) => packed.subarray(i * size, (i + 1) * size))
    await ingest.ingest({
      backend: undefined,
      table: 'logs',
      ...(format === undefined ? {} : { format }),
      contentType: contentType ?? null,
      body: { chunks, encoding: packing, keyId: 'fuzz' },
    })
    return collect(readRows(tenant.engine.query('* | sort by (_time)').batches()))
  },
}
