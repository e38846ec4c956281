import { Labels, METRIC_NAME, type LabelPair } from '../../data/index.ts'
import type { Attribute, Metric } from './points.ts'
import { attributeLabels } from './resource-labels.ts'

/** Flag bit of a point without a value. Such a point marks the end of its series. */
export const NO_RECORDED_VALUE = 1

/** The labels of every series of a resource and scope. */
export interface SharedLabels {
  /** Labels that attributes of a point override. */
  readonly weak: readonly LabelPair[]
  /** Labels that override attributes of a point. */
  readonly strong: readonly LabelPair[]
}

/** The metric whose points are being read. */
export interface Family extends SharedLabels {
  readonly metric: Omit<Metric, 'points'>
  readonly name: string
}

/** Returns the labels of a series of a point with these attributes. */
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

/** True if the bounds of buckets ascend. */
export function isAscending(bounds: readonly number[]): boolean {
  return bounds.every((bound, i) => bound > (bounds[i - 1] ?? -Infinity) || (i === 0 && bound === bound))
}
