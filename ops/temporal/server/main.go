// Temporal's server, with an authorizer of the gateway's own: a caller may do what its token grants
// (cli/certificates/temporal-grants.ts). Configuration, roles and everything else are Temporal's.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"strings"
	_ "time/tzdata" // for images without time zones

	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/headers"
	"go.temporal.io/server/common/log"
	_ "go.temporal.io/server/common/persistence/sql/sqlplugin/postgresql" // the database that it runs on
	"go.temporal.io/server/temporal"
	"google.golang.org/grpc"
)

const usage = `usage: temporal-server [--root DIR] [--config DIR] [--env NAME] [--open] start [--service NAME]…
The environment names files: TEMPORAL_TOKEN_KEYS_FILE, TEMPORAL_TOKEN_AUDIENCE_FILE and TEMPORAL_TASK_KEY_FILE.
With --open there are none, and everybody may do everything.`

type arguments struct {
	root, config, env string
	isOpen, version   bool
	services          []string
}

func main() {
	given, err := parse(os.Args[1:])
	if err == nil && given.version {
		fmt.Println("temporal-server", headers.ServerVersion)
		return
	}
	if err == nil {
		err = run(given)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "temporal-server:", err)
		os.Exit(1)
	}
}

func parse(args []string) (arguments, error) {
	given := arguments{services: temporal.DefaultServices}
	flags := flag.NewFlagSet("temporal-server", flag.ContinueOnError)
	flags.Usage = func() { fmt.Fprintln(os.Stderr, usage) }
	flags.StringVar(&given.root, "root", ".", "")
	flags.StringVar(&given.config, "config", "config", "")
	flags.StringVar(&given.env, "env", "docker", "")
	flags.BoolVar(&given.isOpen, "open", false, "")
	flags.BoolVar(&given.version, "version", false, "")
	if err := flags.Parse(args); err != nil || given.version {
		return given, err
	}
	if flags.Arg(0) != "start" {
		return given, errors.New(usage)
	}
	var named []string
	start := flag.NewFlagSet("start", flag.ContinueOnError)
	start.Usage = flags.Usage
	start.Func("service", "", func(name string) error {
		named = append(named, name)
		return nil
	})
	if err := start.Parse(flags.Args()[1:]); err != nil {
		return given, err
	}
	if len(named) > 0 {
		given.services = named
	}
	if start.NArg() > 0 {
		return given, errors.New(usage)
	}
	return given, nil
}

func run(given arguments) error {
	settings, err := config.LoadConfig(given.env, path.Join(given.root, given.config), "")
	if err != nil {
		return err
	}
	logger := log.NewZapLogger(log.BuildZapLogger(settings.Log))
	dynamic := dynamicconfig.Client(dynamicconfig.NewNoopClient())
	if settings.DynamicConfigClient != nil {
		dynamic, err = dynamicconfig.NewFileBasedClient(settings.DynamicConfigClient, logger, temporal.InterruptCh())
		if err != nil {
			return err
		}
	}
	options := []temporal.ServerOption{
		temporal.ForServices(given.services),
		temporal.WithConfig(settings),
		temporal.WithDynamicConfigClient(dynamic),
		temporal.WithLogger(logger),
		temporal.InterruptOn(temporal.InterruptCh()),
	}
	if !given.isOpen {
		guard, err := guardOf(logger)
		if err != nil {
			return err
		}
		options = append(options,
			temporal.WithAuthorizer(guard),
			temporal.WithClaimMapper(func(*config.Config) authorization.ClaimMapper { return guard }),
			temporal.WithChainedFrontendGrpcInterceptors(grpc.UnaryServerInterceptor(guard.markTasks)),
		)
	}
	server, err := temporal.NewServer(options...)
	if err != nil {
		return err
	}
	return server.Start()
}

// guardOf refuses to start without what proves callers: then nobody could do anything, or everybody everything.
func guardOf(logger log.Logger) (*guard, error) {
	audience, err := secretOf("TEMPORAL_TOKEN_AUDIENCE_FILE")
	if err != nil {
		return nil, err
	}
	taskKey, err := secretOf("TEMPORAL_TASK_KEY_FILE")
	if err != nil {
		return nil, err
	}
	if len(taskKey) < 32 {
		return nil, errors.New("the task key is too short")
	}
	keys, err := openKeys(os.Getenv("TEMPORAL_TOKEN_KEYS_FILE"))
	if err != nil {
		return nil, err
	}
	return newGuard(keys, audience, []byte(taskKey), logger), nil
}

func secretOf(variable string) (string, error) {
	content, err := os.ReadFile(os.Getenv(variable))
	text := strings.TrimSpace(string(content))
	if err != nil || text == "" {
		return "", fmt.Errorf("%s names no file with a content", variable)
	}
	return text, nil
}
