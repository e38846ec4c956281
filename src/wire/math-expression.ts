import { z } from 'zod'
import { columnReference } from './selector.ts'
import { text, textOrNumber } from './schema.ts'

/** A computed column: an operator over nested items, or a leaf that is a column or a number. */
export const mathExpression = z
  .object({
    alias: text().optional(),
    math_operator: text().optional(),
    get args() {
      return z.array(mathExpression).optional()
    },
    get left_expression() {
      return mathExpression.optional()
    },
    get right_expression() {
      return mathExpression.optional()
    },
    column: columnReference.optional(),
    scalar: textOrNumber().optional(),
    keepExisting: z.boolean().optional(),
  })
  .meta({
    id: 'MathExpression',
    description: 'A computed column. `args` and the older `left_expression` with `right_expression` mean the same.',
  })

export type MathExpression = z.output<typeof mathExpression>

/** Returns the operands of an expression and the name of the member that has them, which has two spellings. */
export function mathOperands(
  item: MathExpression,
): readonly { readonly path: readonly (string | number)[]; readonly operand: MathExpression }[] {
  if (item.args !== undefined) return item.args.map((operand, index) => ({ path: ['args', index], operand }))
  const operands = []
  if (item.left_expression !== undefined) operands.push({ path: ['left_expression'], operand: item.left_expression })
  if (item.right_expression !== undefined) operands.push({ path: ['right_expression'], operand: item.right_expression })
  return operands
}
