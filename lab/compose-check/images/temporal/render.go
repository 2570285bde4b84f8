// Fills a template from the environment with the functions that Temporal's configuration template uses.
package main

import (
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

func firstOf(values ...any) any {
	for _, value := range values {
		if value != nil && value != "" {
			return value
		}
	}
	return ""
}

func main() {
	environment := map[string]any{}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		environment[name] = value
	}
	functions := template.FuncMap{"default": firstOf, "lower": strings.ToLower, "split": strings.Split, "trim": strings.TrimSpace}
	file := os.Args[1]
	filled := template.Must(template.New("").Funcs(functions).ParseFiles(file))
	if err := filled.ExecuteTemplate(os.Stdout, filepath.Base(file), map[string]any{"Env": environment}); err != nil {
		panic(err)
	}
}
