import { ActionIcon, Menu, Textarea, TextInput, Tooltip } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import { memo, type ReactNode, useRef } from 'react';
import { IconBraces } from '../../components/icons';
import { TEMPLATE_VARIABLES } from '../../model/template-variables';

/** A text that may be personal: typed, with a menu that inserts variables at the caret. */
export function TemplateField(props: {
  label: string;
  description?: string;
  placeholder?: string;
  value: string;
  error: string | undefined;
  isLong?: boolean;
  isRequired?: boolean;
  onChange: (value: string) => void;
}): ReactNode {
  const { label, isLong = false, value, isRequired = false, onChange } = props;
  const element = useRef<HTMLInputElement | HTMLTextAreaElement>(null);
  const insert = useCallbackRef((text: string): void => {
    const field = element.current;
    const start = field?.selectionStart ?? value.length;
    const end = field?.selectionEnd ?? start;
    onChange(value.slice(0, start) + text + value.slice(end));
    requestAnimationFrame(() => {
      field?.focus();
      field?.setSelectionRange(start + text.length, start + text.length);
    });
  });
  const common = {
    label,
    description: props.description,
    placeholder: props.placeholder,
    value,
    error: props.error,
    withAsterisk: isRequired,
    rightSection: <Inserter label={label} onInsert={insert} />,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  } as const;
  if (!isLong) return <TextInput {...common} ref={element as React.Ref<HTMLInputElement>} />;
  return (
    <Textarea
      {...common}
      ref={element as React.Ref<HTMLTextAreaElement>}
      autosize
      minRows={3}
      maxRows={14}
      rightSectionProps={{ style: { alignItems: 'flex-start', paddingBlockStart: 6 } }}
    />
  );
}

/** A menu costs more than the field that it stands in, and is the same at every letter. */
const Inserter = memo(function Inserter(props: { label: string; onInsert: (text: string) => void }): ReactNode {
  const { label, onInsert } = props;
  return (
    <Menu position="bottom-end" returnFocus={false} width={320}>
      <Menu.Target>
        <Tooltip label="Insert personal text">
          <ActionIcon variant="subtle" color="gray" aria-label={`Insert personal text into: ${label}`}>
            <IconBraces size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {TEMPLATE_VARIABLES.map(({ group, variables }) => (
          <div key={group} role="group" aria-label={group}>
            <Menu.Label aria-hidden>{group}</Menu.Label>
            {variables.map(({ label: name, insert }) => (
              <Menu.Item key={insert} onClick={() => onInsert(insert)}>
                {name}
              </Menu.Item>
            ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
