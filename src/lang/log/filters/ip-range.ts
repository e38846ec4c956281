import { present } from '../../../base/index.ts'
import { formatIpv4, formatIpv6, parseIpv4, parseIpv4Cidr, parseIpv6, parseIpv6Cidr } from '../../../data/index.ts'
import type { Filter, OnField } from '../ast.ts'
import { defineFilter, type FieldArgument, type FilterRule } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { Printer } from '../print/printer.ts'
import * as t from '../tokens.ts'
import { startOf } from './shared.ts'

interface IpRange extends OnField {
  /** First address of the range, as canonical text. `last` is the last address, included. */
  readonly first: string
  readonly last: string
}

export interface Ipv4RangeFilter extends IpRange {
  readonly kind: 'ipv4-range'
}

export interface Ipv6RangeFilter extends IpRange {
  readonly kind: 'ipv6-range'
}

declare module '../ast.ts' {
  interface FilterKinds {
    'ipv4-range': Ipv4RangeFilter
    'ipv6-range': Ipv6RangeFilter
  }
}

interface Family {
  readonly kind: 'ipv4-range' | 'ipv6-range'
  readonly name: string
  readonly label: string
  /** Returns the first and last address of an address block such as `10.0.0.0/8`; `undefined` for other texts. */
  readonly block: (text: string) => readonly [string, string] | undefined
  readonly address: (text: string) => string | undefined
}

const v4: Family = {
  kind: 'ipv4-range',
  name: 'ipv4_range',
  label: 'IPv4',
  block: (text) => {
    const range = parseIpv4Cidr(text)
    return range === undefined ? undefined : [formatIpv4(range.first), formatIpv4(range.last)]
  },
  address: (text) => {
    const address = parseIpv4(text)
    return address === undefined ? undefined : formatIpv4(address)
  },
}

const v6: Family = {
  kind: 'ipv6-range',
  name: 'ipv6_range',
  label: 'IPv6',
  block: (text) => {
    const range = parseIpv6Cidr(text)
    return range === undefined ? undefined : [formatIpv6(range.first), formatIpv6(range.last)]
  },
  address: (text) => {
    const address = parseIpv6(text)
    return address === undefined ? undefined : formatIpv6(address)
  },
}

function callRule({ kind, name, label, block, address }: Family): FilterRule {
  const type = t.keyword(name)
  return ($) =>
    $.RULE(`${name.replace('_range', '')}RangeCall`, (field?: FieldArgument): Filter => {
      const start = $.ACTION(() => startOf($, field))
      $.consume(type)
      const values = $.subrule($.rules.values)
      return $.ACTION(() => {
        const where = $.spanFrom(start)
        $.countTerm(where)
        if (values.length < 1 || values.length > 2) {
          $.fail(logDiagnostic('wrong-argument-count', { name, min: 1, max: 2, count: values.length }, where))
        }
        const [only] = values
        const found =
          values.length === 1 && only !== undefined ? block(only.text) : values.map(({ text }) => address(text))
        const [first, last] = found ?? []
        if (first === undefined || last === undefined) {
          const bad = present(values.find((_, i) => found?.[i] === undefined) ?? only)
          return $.fail(logDiagnostic('bad-address', { text: bad.text, family: label }, bad.span))
        }
        return { kind, first, last, field, span: where }
      })
    })
}

function print(name: string): (filter: IpRange, printer: Printer) => string {
  return ({ field, first, last }, printer) => `${printer.prefix(field)}${name}(${first}, ${last})`
}

export const ipv4Range = defineFilter({
  kind: 'ipv4-range',
  names: ['ipv4_range'],
  call: callRule(v4),
  print: print('ipv4_range'),
  lower: ({ field, first, last, span }, context) =>
    context.test(field, { kind: 'named', name: 'ipv4-range', args: [first, last] }, span),
  doc: {
    summary: 'The whole value is an IPv4 address of a network or range.',
    form: 'field:ipv4_range("10.0.0.0/8") | field:ipv4_range(first, last)',
    examples: [{ query: 'client_ip:ipv4_range("10.0.0.0/8")', text: 'rows from inside' }],
  },
})

export const ipv6Range = defineFilter({
  kind: 'ipv6-range',
  names: ['ipv6_range'],
  call: callRule(v6),
  print: print('ipv6_range'),
  lower: ({ field, first, last, span }, context) =>
    context.test(field, { kind: 'named', name: 'ipv6-range', args: [first, last] }, span),
  doc: {
    summary: 'The whole value is an IPv6 address of a network or range; IPv4 addresses count as mapped ones.',
    form: 'field:ipv6_range("2001:db8::/32") | field:ipv6_range(first, last)',
    examples: [{ query: 'client_ip:ipv6_range("2001:db8::/32")', text: 'rows from one network' }],
  },
})
