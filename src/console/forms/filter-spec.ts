import { texts } from '../app/texts.ts'
import type { ListSpec, MemberSpec, ObjectSpec } from './spec.ts'

const words = texts.edit.filter

/** Operators of conditions, common ones first. */
export const conditionOperators = [
  'match',
  'not_match',
  'eq',
  'ne',
  'in',
  'notin',
  'contains',
  'notcontains',
  'startswith',
  'endswith',
  'regex',
  'notregex',
  'gt',
  'gte',
  'lt',
  'lte',
  'exists',
  'notexists',
  'iin',
  'inotin',
  'icontains',
  'inotcontains',
  'istartswith',
  'iendswith',
  'phrase_search',
] as const

const columnTypes = ['string', 'int64', 'float64', 'bool', 'datetime', 'string_array', 'freetext'] as const

const conditionMembers: readonly MemberSpec[] = [
  { name: 'key', label: words.key, kind: 'text' },
  {
    name: 'filters',
    label: words.comparisons,
    kind: 'list',
    itemLabel: words.comparison,
    isRow: true,
    hint: words.valueHint,
    create: () => ({ op: 'match', value: '' }),
    members: () => [
      { name: 'op', label: words.operator, kind: 'word', options: conditionOperators },
      { name: 'value', label: words.value, kind: 'value' },
    ],
  },
  { name: 'origin', label: words.origin, kind: 'text', isRare: true },
  { name: 'type', label: words.type, kind: 'word', options: columnTypes, isRare: true },
  { name: 'additionalFilter', label: words.additional, kind: 'text', isRare: true },
  { name: 'filterKeys', label: words.filterKeys, kind: 'texts', isRare: true },
  { name: 'isNullable', label: words.isNullable, kind: 'boolean', isRare: true },
  { name: 'autoComplete', label: words.autoComplete, kind: 'boolean', isRare: true },
]

/** A column and the comparisons with it. */
export const conditionsSpec: ListSpec = {
  name: 'conditions',
  label: words.conditions,
  kind: 'list',
  itemLabel: words.condition,
  members: () => conditionMembers,
}

/** Members of a filter group: an operator, conditions, and nested groups. */
export function groupMembers(): readonly MemberSpec[] {
  return [
    { name: 'operator', label: words.join, kind: 'word', options: ['and', 'or'], initial: 'and' },
    conditionsSpec,
    { name: 'groups', label: words.groups, kind: 'list', itemLabel: words.group, members: groupMembers },
    { name: 'disabled', label: words.disabled, kind: 'boolean', initial: 'false', isRare: true },
  ]
}

export function groupSpec(name: string, label: string, hint?: string): ObjectSpec {
  return { name, label, kind: 'object', members: groupMembers, ...(hint === undefined ? {} : { hint }) }
}
