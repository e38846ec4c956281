import { Labels, METRIC_NAME, type LabelPair } from '../../data/index.ts'
import type { Attribute, Metric } from './points.ts'
import { attributeLabels } from './resource-labels.ts'

/** The flag of a point without a value: its series has ended. */
export const NO_RECORDED_VALUE = 1

/** Labels that stand on every series of a resource and scope. */
export interface PlaceLabels {
  /** Beneath the attributes of a point. */
  readonly weak: readonly LabelPair[]
  /** Above them. */
  readonly strong: readonly LabelPair[]
}

/** A metric whose points are being read. */
export interface Family extends PlaceLabels {
  readonly metric: Omit<Metric, 'points'>
  readonly name: string
}

/** The labels of a series of a point with these attributes. */
export function seriesLabels(
  { name, weak, strong }: Family,
  attributes: readonly Attribute[],
  suffix: string,
  extra?: LabelPair,
): Labels {
  const pairs: LabelPair[] = [...weak, ...attributeLabels(attributes), ...strong, [METRIC_NAME, name + suffix]]
  if (extra !== undefined) pairs.push(extra)
  return Labels.from(pairs)
}

/** Whether bounds of buckets are in order. */
export function isAscending(bounds: readonly number[]): boolean {
  return bounds.every((bound, i) => bound > (bounds[i - 1] ?? -Infinity) || (i === 0 && bound === bound))
}
