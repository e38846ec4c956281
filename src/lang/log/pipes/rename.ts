import type { Span } from '../../../base/index.ts'
import type { Renaming } from '../../../plan/index.ts'
import type { FieldRef } from '../ast.ts'
import { definePipe, type PipeDefinition } from '../definition.ts'
import type { LowerContext } from '../lower-context.ts'
import type { Printer } from '../print/printer.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'

export interface RenameStep {
  readonly from: FieldRef
  readonly to: FieldRef
}

interface Steps {
  readonly steps: readonly RenameStep[]
  readonly span: Span
}

/**
 * Pipe that renames fields, from left to right. A star on both sides stands for the same text; a star on one side only
 * adds or removes a prefix.
 */
export interface RenamePipe extends Steps {
  readonly kind: 'rename'
}

export interface CopyPipe extends Steps {
  readonly kind: 'copy'
}

declare module '../ast.ts' {
  interface PipeKinds {
    rename: RenamePipe
    copy: CopyPipe
  }
}

const As = t.keyword('as')

function stepsRule($: Syntax, name: string, words: readonly [string, string]): Rule<[], Steps> {
  const [type, alias] = [t.keyword(words[0]), t.keyword(words[1])]
  return $.RULE(name, (): Steps => {
    const start = $.ACTION(() => $.startOffset())
    const steps: RenameStep[] = []
    $.or(0, [{ ALT: () => $.consume(type) }, { ALT: () => $.consume(alias) }])
    const step = (index: number): void => {
      const from = $.subrule($.rules.fieldPattern)
      $.option(index, () => $.consume(As))
      const to = $.subrule($.rules.fieldPattern)
      $.ACTION(() => {
        $.countField(from.span)
        steps.push({ from, to })
      })
    }
    step(0)
    $.many(0, () => {
      $.consume(t.Comma)
      step(1)
    })
    return { steps, span: $.spanFrom(start) }
  })
}

function printSteps({ steps }: Steps, printer: Printer): string {
  return steps.map(({ from, to }) => `${printer.field(from)} as ${printer.field(to)}`).join(', ')
}

function renamings({ steps }: Steps, context: LowerContext): readonly Renaming[] {
  return steps.map(({ from, to }) => ({ from: context.pattern(from), to: context.pattern(to) }))
}

export const rename: PipeDefinition<'rename'> = definePipe({
  kind: 'rename',
  names: ['rename', 'mv'],
  rule: ($) => {
    const steps = stepsRule($, 'renameSteps', ['rename', 'mv'])
    return $.RULE('renamePipe', (): RenamePipe => ({ kind: 'rename', ...$.subrule(steps) }))
  },
  print: (pipe, printer) => `rename ${printSteps(pipe, printer)}`,
  lower: (pipe, input, context) => ({
    kind: 'rename',
    input,
    steps: renamings(pipe, context),
    isCopy: false,
    origin: context.at(pipe.span),
  }),
  doc: {
    summary: 'Gives fields other names.',
    form: 'rename from as to, prefix* as other*, …',
    examples: [{ query: '* | rename workload as service, k8s.* as *', text: 'one field renamed, one prefix dropped' }],
  },
})

export const copy: PipeDefinition<'copy'> = definePipe({
  kind: 'copy',
  names: ['copy', 'cp'],
  rule: ($) => {
    const steps = stepsRule($, 'copySteps', ['copy', 'cp'])
    return $.RULE('copyPipe', (): CopyPipe => ({ kind: 'copy', ...$.subrule(steps) }))
  },
  print: (pipe, printer) => `copy ${printSteps(pipe, printer)}`,
  lower: (pipe, input, context) => ({
    kind: 'rename',
    input,
    steps: renamings(pipe, context),
    isCopy: true,
    origin: context.at(pipe.span),
  }),
  doc: {
    summary: 'Copies fields under other names.',
    form: 'copy from as to, …',
    examples: [{ query: '* | copy workload as service', text: 'the same value under two names' }],
  },
})
