import { propertiesOf, type LogicalPlan } from '../plan/index.ts'
import { fieldMatcher } from './field-set.ts'

/**
 * Tells of a field whether each row that comes out of a node has the value of it that a row of the first input has; no
 * answer for nodes that give other rows.
 */
export function passesOn(node: LogicalPlan): ((name: string) => boolean) | undefined {
  if (node.kind === 'project') return fieldMatcher(node.fields)
  const { touches } = propertiesOf(node)
  if (touches === undefined) return undefined
  const isTouched = fieldMatcher(touches)
  return (name) => !isTouched(name)
}
