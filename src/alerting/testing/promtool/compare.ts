import { compareLabels, type Labels } from '../../../data/index.ts'
import { floatText } from '../../../engine/metrics/index.ts'
import type { RuleResult, RuleSample } from '../../rules/index.ts'
import type { ExpectedAlert, ExpectedSample } from './read-test-file.ts'
import { printHistogramNotation } from './series/histogram-notation.ts'

function difference(expected: readonly string[], got: readonly string[]): string | undefined {
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [`  ${title}: nothing`] : [`  ${title}:`, ...lines.map((line) => `    ${line}`)]
  const isEqual = expected.length === got.length && expected.every((line, i) => line === got[i])
  return isEqual ? undefined : [...list('expected', expected), ...list('got', got)].join('\n')
}

function byLabels(a: { readonly labels: Labels }, b: { readonly labels: Labels }): number {
  return compareLabels(a.labels, b.labels)
}

/**
 * Formats annotations. For a failed expansion only the beginning is compared, because the message depends on the
 * implementation.
 */
function annotationTexts(annotations: Labels): string {
  return annotations
    .toPairs()
    .map(([name, text]) => `${name}=${JSON.stringify(text.replace(/^(<error expanding template: ).*/s, '$1…>'))}`)
    .join(', ')
}

function alertTexts(alerts: readonly ExpectedAlert[]): readonly string[] {
  return alerts
    .toSorted((a, b) => byLabels(a, b) || compareLabels(a.annotations, b.annotations))
    .map(({ labels, annotations }) => `${String(labels)} annotations {${annotationTexts(annotations)}}`)
}

/** Returns the expected and actual alerts if they differ. */
export function alertDifference(expected: readonly ExpectedAlert[], got: readonly ExpectedAlert[]): string | undefined {
  return difference(alertTexts(expected), alertTexts(got))
}

/** Returns the number of representable steps between two finite doubles with the same sign. */
function distance(a: number, b: number): bigint {
  const bits = new BigInt64Array(new Float64Array([a, b]).buffer)
  const difference = (bits[0] ?? 0n) - (bits[1] ?? 0n)
  return difference < 0n ? -difference : difference
}

function isSameValue(expected: number, got: number, isFuzzy: boolean): boolean {
  if (expected === got || Object.is(expected, got)) return true
  return isFuzzy && distance(expected, got) === 1n
}

function sampleText({ labels, value, histogram }: RuleSample): string {
  return `${String(labels)} ${histogram === undefined ? floatText(value) : printHistogramNotation(histogram)}`
}

/** Returns the expected and actual samples if they differ. With `isFuzzy`, adjacent doubles count as equal. */
export function sampleDifference(
  expected: readonly ExpectedSample[],
  got: RuleResult,
  isFuzzy: boolean,
): string | undefined {
  const wanted = expected.toSorted(byLabels)
  const found = got.toSorted(byLabels)
  // A value that counts as equal is printed like the expected one.
  const written = found.map((sample, i): RuleSample => {
    const value = wanted[i]?.value ?? sample.value
    return isSameValue(value, sample.value, isFuzzy) ? { ...sample, value } : sample
  })
  return difference(wanted.map(sampleText), written.map(sampleText))
}
