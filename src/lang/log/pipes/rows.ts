import { field as schemaField, parseNumber, type Row, type Value } from '../../../data/index.ts'
import type { LogicalPlan } from '../../../plan/index.ts'
import type { RowMember, Source } from '../ast.ts'
import type { LowerContext } from '../lower-context.ts'
import type { Printer } from '../print/printer.ts'
import { quoteText } from '../print/quote.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'

const Rows = t.keyword('rows')

/** Registers the rule of a second input: `( query )` or `rows({…}, …)`. */
export function registerSource($: Syntax): Rule<[], Source> {
  const row = $.RULE('inlineRow', (): readonly RowMember[] => {
    const members: RowMember[] = []
    const member = (index: number): void => {
      const name = $.subrule($.rules.field, true)
      $.or(index, [{ ALT: () => $.consume(t.Colon) }, { ALT: () => $.consume(t.Equals) }])
      const value = $.subrule($.rules.text)
      $.ACTION(() => members.push({ name: name.parts[0] ?? '', text: value.text, isQuoted: value.isQuoted }))
    }
    $.consume(t.LBrace)
    $.option(0, () => {
      member(0)
      $.many(0, {
        GATE: () => !$.isNext(t.RBrace) && !$.isNext(t.RBrace, 2),
        DEF: () => {
          $.option(2, () => $.consume(t.Comma))
          member(1)
        },
      })
      $.option(1, () => $.consume(t.Comma))
    })
    $.consume(t.RBrace)
    return members
  })

  return $.RULE('source', (): Source => {
    const start = $.ACTION(() => $.startOffset())
    return $.or<Source>(0, [
      {
        ALT: () => {
          const query = $.subrule($.rules.parenQuery)
          return { kind: 'query', query, span: $.spanFrom(start) }
        },
      },
      {
        ALT: () => {
          const rows: (readonly RowMember[])[] = []
          $.consume(Rows)
          $.consume(t.LParen)
          $.option(0, () => {
            rows.push($.subrule(row))
            $.many(0, {
              GATE: () => !$.isNext(t.RParen, 2),
              DEF: () => {
                $.option(1, () => $.consume(t.Comma))
                rows.push($.subrule(row))
              },
            })
            $.option(2, () => $.consume(t.Comma))
          })
          $.consume(t.RParen)
          return { kind: 'rows', rows, span: $.spanFrom(start) }
        },
      },
    ])
  })
}

export function printSource(source: Source, printer: Printer): string {
  if (source.kind === 'query') return `(${printer.subquery(source.query)})`
  const value = ({ text, isQuoted }: RowMember): string =>
    isQuoted || printer.dialect === 'logsql' ? quoteText(text) : printer.text(text)
  const rows = source.rows.map(
    (members) => `{${members.map((member) => `${quoteText(member.name)}:${value(member)}`).join(',')}}`,
  )
  return `rows(${rows.join(',')})`
}

function valueOf({ text, isQuoted }: RowMember, context: LowerContext): Value {
  if (isQuoted || context.dialect === 'logsql') return text
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  return parseNumber(text) ?? text
}

export function lowerSource(source: Source, context: LowerContext): LogicalPlan {
  if (source.kind === 'query') return context.query(source.query)
  const rows = source.rows.map(
    (members): Row => new Map(members.map((member) => [member.name, valueOf(member, context)])),
  )
  const names = [...new Set(source.rows.flatMap((members) => members.map(({ name }) => name)))]
  return {
    kind: 'values',
    outputSchema: { fields: names.map((name) => schemaField(name, 'any', 'dynamic')), isOpen: false },
    rows,
    origin: context.at(source.span),
  }
}
