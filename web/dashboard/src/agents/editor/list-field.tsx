/** Apart from the other inputs, because the first section of the editor does not load what it is made of. */
import { TagsInput, type TagsInputProps } from '@mantine/core'
import { useField } from './agent-form.js'

/** A list of short texts of the Agent. A comma or a space ends a text. */
export const ListField = ({ path, ...props }: { readonly path: string } & TagsInputProps) => {
  const field = useField()
  return <TagsInput {...field.input(path)} acceptValueOnBlur splitChars={[',', ' ']} {...props} />
}
