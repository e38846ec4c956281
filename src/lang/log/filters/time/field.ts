import type { FieldArgument } from '../../definition.ts'

/** Whether `field:` asks for a time; `timestamp` is the other name of the time field. */
export function isTimeField(field: FieldArgument, isNative: boolean): boolean {
  if (field === undefined || field.parts.length !== 1) return false
  return field.parts[0] === '_time' || (isNative && field.parts[0] === 'timestamp')
}
