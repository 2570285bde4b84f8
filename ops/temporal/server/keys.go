// The keys by which tokens are verified, in a file that may change while the server runs.

package main

import (
	"encoding/json"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// keyFile has the public keys of tokens, and reads them again when the file was changed.
type keyFile struct {
	path    string
	mutex   sync.Mutex
	content string
	keys    *jose.JSONWebKeySet
	readAt  time.Time
}

const readAgainAfter = 10 * time.Second

func openKeys(path string) (*keyFile, error) {
	file := &keyFile{path: path}
	return file, file.read()
}

// current is the same value as long as the keys are the same. A file that cannot be read changes nothing.
func (f *keyFile) current() *jose.JSONWebKeySet {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if time.Since(f.readAt) >= readAgainAfter {
		_ = f.read()
	}
	return f.keys
}

func (f *keyFile) read() error {
	f.readAt = time.Now()
	content, err := os.ReadFile(f.path)
	if err != nil || string(content) == f.content {
		return err
	}
	keys := &jose.JSONWebKeySet{}
	if err := json.Unmarshal(content, keys); err != nil {
		return errors.New("the file of token keys is no JSON Web Key Set")
	}
	for _, key := range keys.Keys {
		if !key.IsPublic() || key.KeyID == "" {
			return errors.New("the file of token keys has a key that is not public, or without an id")
		}
	}
	f.content, f.keys = string(content), keys
	return nil
}
