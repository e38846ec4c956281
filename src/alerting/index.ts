export { isFiring, type Alert } from './alert.ts'
