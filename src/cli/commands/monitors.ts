import { addTestCommand } from '../alerts/test-command.ts'
import type { CommandModule } from '../command.ts'

export const define: CommandModule['define'] = addTestCommand
