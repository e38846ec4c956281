import { Labels } from '../../src/data/index.ts'

/** Labels in the notation of the vectors: `{a="x", b="y"}`. */
export type LabelText = string

/** Parses labels whose values are JSON strings. */
export function labelsOfText(text: LabelText): Labels {
  const pairs = [...text.matchAll(/([A-Za-z_][A-Za-z0-9_]*)=("(?:[^"\\]|\\.)*")/g)]
  return Labels.from(pairs.map(([, name = '', value = '""']) => [name, JSON.parse(value) as string] as const))
}
