import type { JsonValue } from '../base/index.ts'
import { printCase, readCase } from './case-file.ts'
import type { Body } from './pipeline.ts'
import type { PipelineFailure } from './pipeline-run.ts'

export type PipelineCaseFile = Pick<PipelineFailure, 'law' | 'seed' | 'body' | 'rows'>

/** A kept failure as JSON: rows as the cases of text queries have them, and the body. */
export function printPipelineCase({ law, seed, body, rows }: PipelineCaseFile): string {
  const kept = JSON.parse(printCase({ oracle: law, filter: '', pipes: [], rows })) as { rows: JsonValue }
  return `${JSON.stringify({ law, seed, body, rows: kept.rows }, null, 1)}\n`
}

export function readPipelineCase(text: string): PipelineCaseFile {
  const { law, seed, body, rows } = JSON.parse(text) as { law: string; seed: number; body: Body; rows: JsonValue }
  return { law, seed, body, rows: readCase(JSON.stringify({ oracle: law, filter: '', pipes: [], rows })).rows }
}
