import { Select, type SelectProps, TextInput, type TextInputProps } from '@mantine/core'
import { Search } from 'lucide-react'

interface SearchInputProps extends Omit<TextInputProps, 'label' | 'onChange'> {
  /** The name of the field for screen readers. */
  readonly label: string
  onChange(text: string): void
}

/** A field for a part of a name. */
export const SearchInput = ({ label, onChange, ...input }: SearchInputProps) => (
  <TextInput
    type="search"
    aria-label={label}
    leftSection={<Search />}
    maw={360}
    onChange={({ currentTarget: { value } }) => onChange(value)}
    {...input}
  />
)

interface FilterSelectProps extends Omit<SelectProps, 'value'> {
  readonly value: string | undefined
  /** The name of the button that chooses all, for screen readers. */
  readonly all: string
}

/** A field that chooses one kind, or all while it is empty. */
export const FilterSelect = ({ value, all, ...select }: FilterSelectProps) => (
  <Select placeholder="All" value={value ?? null} clearable clearButtonProps={{ 'aria-label': all }} {...select} />
)
