import type { FieldArgument } from '../../definition.ts'

/** True if filters after `field:` are time filters. `timestamp` is an alias of the time field `_time`. */
export function isTimeField(field: FieldArgument, isNative: boolean): boolean {
  if (field === undefined || field.parts.length !== 1) return false
  return field.parts[0] === '_time' || (isNative && field.parts[0] === 'timestamp')
}
