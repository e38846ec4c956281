import { addBacktestCommand } from '../alerts/backtest-command.ts'
import { addTestCommand } from '../alerts/test-command.ts'
import type { CommandModule } from '../command.ts'

export const define: CommandModule['define'] = (command, terminal) => {
  addTestCommand(command, terminal)
  addBacktestCommand(command, terminal)
}
