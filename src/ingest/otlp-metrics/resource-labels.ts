import { printJsonExact, type LabelPair } from '../../data/index.ts'
import { PLACES, anyJson } from '../otlp/attributes.ts'
import { labelName } from './names.ts'
import type { Attribute, ResourceMetrics, Scope } from './points.ts'

const IDENTIFYING: ReadonlySet<string> = new Set(['service.name', 'service.namespace', 'service.instance.id'])

/** Returns an attribute's value as the value of a label. */
export function attributeText({ value }: Attribute): string {
  const json = anyJson(value)
  if (json === null) return ''
  return typeof json === 'string' ? json : printJsonExact(json)
}

/**
 * Returns attributes as labels. When several keys become the same name, their values are joined in the order of the
 * keys.
 */
export function attributeLabels(attributes: readonly Attribute[]): Map<string, string> {
  const labels = new Map<string, string>()
  for (const attribute of attributes) {
    const name = labelName(attribute.key)
    if (name === '') continue
    if (labels.has(name)) return joinedLabels(attributes)
    labels.set(name, attributeText(attribute))
  }
  return labels
}

function joinedLabels(attributes: readonly Attribute[]): Map<string, string> {
  const values = new Map<string, string[]>()
  for (const attribute of attributes.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))) {
    const name = labelName(attribute.key)
    if (name === '') continue
    const list = values.get(name)
    if (list === undefined) values.set(name, [attributeText(attribute)])
    else list.push(attributeText(attribute))
  }
  return new Map(Array.from(values, ([name, list]) => [name, list.join(';')]))
}

/** The labels of every series of a resource. */
export interface ResourceLabels {
  /** Labels that attributes of a point override. */
  readonly weak: readonly LabelPair[]
  /** Labels that override attributes of a point: `job` and `instance`. */
  readonly strong: readonly LabelPair[]
  /** The labels of `target_info`; `undefined` if it would have only the labels that identify it. */
  readonly info: readonly LabelPair[] | undefined
}

export function resourceLabels({ attributes }: Pick<ResourceMetrics, 'attributes'>): ResourceLabels {
  const byKey = new Map(attributes.map((attribute) => [attribute.key, attributeText(attribute)]))
  const get = (key: string): string => byKey.get(key) ?? ''
  const service = get('service.name')
  const job = service !== '' && get('service.namespace') !== '' ? `${get('service.namespace')}/${service}` : service
  const strong = (
    [
      ['job', job],
      ['instance', get('service.instance.id')],
    ] as const
  ).filter(([, value]) => value !== '')
  const weak: LabelPair[] = []
  for (const [label, keys] of PLACES) {
    const value = keys.map(get).find((text) => text !== '')
    if (value !== undefined) weak.push([label, value])
  }
  const others = attributeLabels(attributes.filter(({ key }) => !IDENTIFYING.has(key)))
  const info = strong.length === 0 || others.size === 0 ? undefined : [...others, ...strong]
  return { weak, strong, info }
}

/** Returns the labels of every series of a scope. */
export function scopeLabels({ name, version, attributes }: Scope): readonly LabelPair[] {
  const labels: LabelPair[] = []
  for (const [key, value] of attributeLabels(attributes)) labels.push([`otel_scope_${key}`, value])
  if (name !== '') labels.push(['otel_scope_name', name])
  if (version !== '') labels.push(['otel_scope_version', version])
  return labels
}
