import { invariant } from '../../../base/index.ts'
import { csvDecoder } from './csv.ts'
import { agentDecoders } from './agents.ts'
import type { IngestDecoder } from '../decoder.ts'
import { jsonDocumentDecoder, kubernetesEventsDecoder } from './json-documents.ts'
import { jsonLinesDecoder } from './json-lines.ts'
import { lokiDecoders } from './loki.ts'
import { metricDecoders } from './metrics.ts'
import { otlpDecoders } from './otlp.ts'
import { otlpMetricDecoders } from './otlp-metrics.ts'
import { textLinesDecoder } from './text-lines.ts'

/** Tables that accept JSON records. */
export const jsonTables = ['logs', 'events', 'spans', 'clusters', 'workloads'] as const

/** Decoders of all accepted formats. They also replay the batch log. */
export const decoders: readonly IngestDecoder[] = [
  ...jsonTables.map(jsonLinesDecoder),
  ...jsonTables.map(jsonDocumentDecoder),
  ...jsonTables.flatMap((table) => [csvDecoder(table, 'csv'), csvDecoder(table, 'tsv')]),
  kubernetesEventsDecoder,
  textLinesDecoder,
  ...otlpDecoders,
  ...metricDecoders,
  ...otlpMetricDecoders,
  ...agentDecoders,
  ...lokiDecoders,
]

const byName = new Map(decoders.map((decoder) => [`${decoder.table} ${decoder.format}`, decoder]))

/** Returns a decoder; `undefined` for a format of a later release. */
export function findDecoder(table: string, format: string): IngestDecoder | undefined {
  return byName.get(`${table} ${format}`)
}

export function decoderFor(table: string, format: string): IngestDecoder {
  const found = findDecoder(table, format)
  invariant(found !== undefined, `no decoder for ${table} as ${format}`)
  return found
}
