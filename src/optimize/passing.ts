import { propertiesOf, type LogicalPlan } from '../plan/index.ts'
import { fieldMatcher } from './field-set.ts'

/**
 * Returns a function that tests whether a node passes a field unchanged from its first input to every output row.
 * Returns `undefined` for nodes whose output rows are not rows of that input.
 */
export function passesOn(node: LogicalPlan): ((name: string) => boolean) | undefined {
  if (node.kind === 'project') return fieldMatcher(node.fields)
  const { touches } = propertiesOf(node)
  if (touches === undefined) return undefined
  const isTouched = fieldMatcher(touches)
  return (name) => !isTouched(name)
}
