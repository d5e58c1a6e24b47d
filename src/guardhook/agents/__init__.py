"""One module an agent: `parse` its payload into a ToolCall, `render` a Decision into the document it understands."""
