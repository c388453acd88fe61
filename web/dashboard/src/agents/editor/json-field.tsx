import { JsonInput, type JsonInputProps } from '@mantine/core'
import { jsonObjectProblem } from './agent-draft.js'

/**
 * An input for a JSON object. What is wrong with it is still said when the focus has left: the library's own input only marks it.
 */
export const JsonField = ({ value = '', error, ...props }: JsonInputProps) => (
  <JsonInput
    {...props}
    value={value}
    error={error}
    validationError={error || jsonObjectProblem(value)}
    autosize
    spellCheck={false}
  />
)
