import { JsonInput, type JsonInputProps } from '@mantine/core'
import { jsonObjectProblem } from './agent-draft.js'

/**
 * An input for a JSON object. Its error remains visible after the focus has left, where the library's own input only marks it.
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
