import { describe, expect, test } from 'vitest'
import {
  Template,
  TemplateError,
  type TemplateData,
  type TemplateQuery,
} from '../../../src/alerting/templates/index.ts'
import { JinjaParser } from '../../../src/alerting/templates/jinja/parser.ts'
import { Labels } from '../../../src/data/index.ts'

const data: TemplateData = {
  labels: Labels.of({ host: 'web-1', städte: 'Köln', zone: 'eu west' }),
  value: 12.345,
  values: new Map([['errors', { value: 3, labels: Labels.of({ app: 'a' }), columns: new Map([['p99', 0.25]]) }]]),
  externalLabels: Labels.empty,
  externalUrl: 'https://sluice.example.com',
  nowMs: 0,
}

const noQuery: TemplateQuery = () => Promise.reject(new Error('Jinja templates run no queries'))

async function expand(source: string): Promise<string> {
  return Template.parse(source, 'jinja2').expand(data, noQuery)
}

test('the grammar has no ambiguity', () => {
  expect(() => new JinjaParser(true)).not.toThrow()
})

test.each([
  ['{{ labels.host }} {{ labels["städte"] }} {{ value }} {{ labels.none }}|', 'web-1 Köln 12.345 |'],
  ['{{ values.errors }} {{ values.errors.labels.app }} {{ values.errors.p99 }}', '3 a 0.25'],
  ['a { b {# note #}c {%- if true %} d {% endif -%} e', 'a { b c d e'],
  ['{% if value > 100 %}a{% elif value >= 12 and not labels.none %}b{% else %}c{% endif %}', 'b'],
  ['{% if values.errors == 3 and labels.host in "web-1,web-2" %}yes{% endif %}', 'yes'],
  [
    '{% for k, v in labels.items() %}{{ k }}={{ v }};{% else %}none{% endfor %}',
    'host=web-1;städte=Köln;zone=eu west;',
  ],
  ['{% for k in externalLabels %}{{ k }}{% else %}none{% endfor %}', 'none'],
  ['{{ labels.none | default("x") }} {{ "" | default("y", true) }} {{ labels.host | upper | lower }}', 'x y web-1'],
  [
    '{{ labels.zone | title }} {{ value | round(1) }} {{ value | round }} {{ value | int }} {{ "7" | float }}',
    'Eu West 12.3 12 12 7',
  ],
  ['{{ value | round(2, "ceil") }} {{ value | round(method) }}', '12.35 {{ value | round(method) }}'],
  ['{{ labels | length }} {{ "a-b-c" | replace("-", "+") }} {{ "aaa" | replace("a", "b", 2) }}', '3 a+b+c bba'],
  ['{{ "  x " | trim }}|{{ "--x-" | trim("-") }} {{ "it\\\'s" }}', "x|x it's"],
  ['{{ "up" if value > 10 else "down" }} {{ labels.none or "none" }}', 'up none'],
])('%s', async (source, expanded) => {
  expect(await expand(source)).toBe(expanded)
})

test('unknown parts stay in the output, with warnings', async () => {
  const source = '{{ value | tojson }} {{ nosuch }} {% set x = 1 %} {{ value }}'
  const template = Template.parse(source, 'jinja2')
  expect(await template.expand(data, noQuery)).toBe('{{ value | tojson }} {{ nosuch }} {% set x = 1 %} 12.345')
  expect(template.warnings).toEqual([
    { message: 'There is no filter `tojson`.', offset: 11 },
    { message: 'There is no variable `nosuch`.', offset: 24 },
    { message: 'The statement `{% set x = 1 %}` is not supported.', offset: 34 },
  ])
})

describe('faults', () => {
  test.each([
    ['{{ value', 8],
    ['{% if value %}', 14],
    ['a {% endif %}', 2],
    ['{{ value ! 1 }}', 9],
    ['{{ "\\q" }}', 3],
    ['{{', 2],
  ])('%s is refused at %i', (source, offset) => {
    let found: unknown
    try {
      Template.parse(source, 'jinja2')
    } catch (error) {
      found = error
    }
    expect(found).toBeInstanceOf(TemplateError)
    expect((found as TemplateError).offset).toBe(offset)
  })

  test.each([
    ['{{ value.items() }}', '1:9: a value of type float64 has no method items'],
    ['{% if labels.host > 1 %}{% endif %}', '1:19: `>` cannot compare string and int'],
    ['{{ "x" | round }}', '1:10: cannot round a value of type string'],
  ])('%s ends with the error text', async (source, message) => {
    expect(await expand(source)).toBe(`<error expanding template: ${message}>`)
  })

  test('loops end at the limits', async () => {
    const loop = '{% for a in labels %}'.repeat(12) + '{{ a }}' + '{% endfor %}'.repeat(12)
    expect(await expand(loop)).toContain('more than 10000 steps')
    expect(await expand(`{{ value${'|trim'.repeat(12_000)} }}`)).toContain('more than 10000 steps')
    expect(await expand(`{{ value${'.a'.repeat(30_000)} }}`)).toBe('')
    const long = `{{ "${'a'.repeat(20_000)}" | replace("a", "${'b'.repeat(20_000)}") }}`
    expect(await expand(long)).toContain('more than 65536 characters')
    expect(() => Template.parse('{% if 1 %}'.repeat(5000), 'jinja2')).toThrow('nest deeper')
  })
})
