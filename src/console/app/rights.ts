import { session } from './services.ts'
import { texts } from './texts.ts'

/** Returns the reason why this user cannot change something; `undefined` if the user's key has the role. */
export function readOnlyReason(role: 'write' | 'admin'): string | undefined {
  const who = session.value
  const roles = who === undefined || who === 'signed-out' ? [] : who.roles
  if (roles.includes(role)) return undefined
  return texts.edit.readOnly(role, roles.join(', '))
}

/** True if the server has a feature such as `alerting` enabled. */
export function hasFeature(name: string): boolean {
  const who = session.value
  return who !== undefined && who !== 'signed-out' && who.features.includes(name)
}
