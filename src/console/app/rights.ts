import { session } from './services.ts'
import { texts } from './texts.ts'

/** Returns why this user cannot change something; `undefined` if the user's key has the role. */
export function readOnlyReason(role: 'write' | 'admin'): string | undefined {
  const who = session.value
  const roles = who === undefined || who === 'signed-out' ? [] : who.roles
  if (roles.includes(role)) return undefined
  return texts.edit.readOnly(role, roles.join(', '))
}

/** Whether the server has a part, such as `alerting`. */
export function hasFeature(name: string): boolean {
  const who = session.value
  return who !== undefined && who !== 'signed-out' && who.features.includes(name)
}
