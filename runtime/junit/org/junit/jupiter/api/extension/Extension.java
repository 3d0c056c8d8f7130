package org.junit.jupiter.api.extension;

// Of JUnit 5: what mallard.AllocatesExtension is compiled against. None of this is in a jar.
public interface Extension {}
