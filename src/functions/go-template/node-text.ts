import type { Base, Command, Operand, Pipeline } from './ast.ts'

function baseText(base: Base): string {
  switch (base.kind) {
    case 'dot':
      return '.'
    case 'nil':
      return 'nil'
    case 'constant':
    case 'integer':
      return base.text
    case 'variable':
    case 'function':
      return base.name
    case 'pipeline':
      return `(${pipelineText(base.pipeline)})`
  }
}

/** Returns an operand as Go writes it in errors. */
export function operandText({ base, fields }: Operand): string {
  const after = fields.map((name) => `.${name}`).join('')
  return base.kind === 'dot' && after !== '' ? after : `${baseText(base)}${after}`
}

/** Returns a command as Go writes it in errors: its operands with one space between them. */
export function commandText({ operands }: Command): string {
  return operands.map(operandText).join(' ')
}

/** Returns a pipeline as Go writes it in errors. */
export function pipelineText({ variables, isAssignment, commands }: Pipeline): string {
  const names = variables.length === 0 ? '' : `${variables.join(', ')} ${isAssignment ? '=' : ':='} `
  return `${names}${commands.map(commandText).join(' | ')}`
}
