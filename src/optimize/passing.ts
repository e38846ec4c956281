import { propertiesOf, type LogicalPlan } from '../plan/index.ts'
import { fieldMatcher } from './field-set.ts'

/**
 * Returns a test whether every output row has the value that a row of the first input has for a field; `undefined` for
 * nodes that make other rows.
 */
export function passesOn(node: LogicalPlan): ((name: string) => boolean) | undefined {
  if (node.kind === 'project') return fieldMatcher(node.fields)
  const { touches } = propertiesOf(node)
  if (touches === undefined) return undefined
  const isTouched = fieldMatcher(touches)
  return (name) => !isTouched(name)
}
