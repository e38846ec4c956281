import process from 'node:process'

/**
 * Module that is loaded into the service before it starts. SIGUSR2 switches the service's wall clock in turn to one
 * hour ahead, one hour behind, and the real time.
 */
const HOUR_MS = 3_600_000
const now = Date.now.bind(Date)
let stepMs = 0
Date.now = () => now() + stepMs
process.on('SIGUSR2', () => {
  stepMs = stepMs === 0 ? HOUR_MS : stepMs > 0 ? -HOUR_MS : 0
})
